import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import type { Route } from "../../lib/http/route.ts";
import * as areas from "../areas.ts";
import { createNotFoundHandler } from "./not-found.ts";

const routes = Object.values(areas).flatMap((area): readonly Route[] => area.routes);

/** Of areas without a function; and whose path ends in a slash, if a gateway that distinguishes such paths sends them. */
const own = routes.filter(({ dependencies }) => dependencies !== undefined);

export const handler = createHandler(
  own,
  () => {
    const client = documentClient() as never;
    const all = Object.assign({}, ...own.map(({ dependencies }) => dependencies?.(client)));
    return () => all as never;
  },
  createNotFoundHandler(routes),
);
