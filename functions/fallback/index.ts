import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import type { Route } from "../../lib/http/route.ts";
import * as areas from "../areas.ts";
import { createNotFoundHandler } from "./not-found.ts";

const routes = Object.values(areas).flatMap((area): readonly Route[] => area.routes);

/** Routes of areas without a function, and those whose path ends in a slash, which some gateways send here. */
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
