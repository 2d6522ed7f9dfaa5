import { resolveAccess } from "../../../infra/settings/access.ts";
import { createGuards } from "../../../lib/auth/access.ts";
import { useGuards } from "../../../lib/http/handler.ts";
import { readTarget } from "../../../local/api-gateway/request.ts";
import { createRouter } from "../../../local/api-gateway/router.ts";
import type { Handlers } from "../release.ts";
import type { Send } from "./client.ts";
import { invoke } from "./invoke.ts";
import { locationOf } from "./links.ts";

/** The functions of a deployment with access rules, as in `-c access=…`, as modules of their own. */
export async function handlersWith(access: string, { environment, routes }: InProcess): Promise<Handlers> {
  Object.assign(process.env, environment);
  useGuards(createGuards(resolveAccess(access.split(","))));
  const handlers: Record<string, Handlers[string]> = {};
  for (const { folder } of routes)
    handlers[folder] = await import(`../../../functions/${folder}/index.ts?${access}`);
  useGuards(undefined);
  return handlers;
}

interface InProcess {
  readonly environment: Readonly<Record<string, string>>;
  /** The time that each function has; 20 s by default. */
  readonly remainingMs?: number;
  readonly routes: readonly { readonly routeKey: string; readonly folder: string }[];
  /** By folder; this version's by default. */
  readonly handlers?: Handlers;
}

/** Calls the functions' handlers in this process, with the events that the gateway sends. */
export function inProcess({ environment, routes, remainingMs, handlers }: InProcess): Send {
  Object.assign(process.env, environment, {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
  });
  // As the bundles of these functions, which begin with functions/guards.ts.
  if (handlers === undefined && environment.ACCESS) useGuards(createGuards(JSON.parse(environment.ACCESS)));
  const router = createRouter(routes, "lenient");

  const send: Send = async (request) => {
    const { path } = readTarget(request.target) ?? { path: request.target };
    const match = router(request.method, path);
    if (!match) throw new Error(`The gateway has no route for ${request.method} ${path}`);
    const { folder } = match.route;
    const { handler }: Handlers[string] =
      handlers?.[folder] ?? (await import(`../../../functions/${folder}/index.ts`));
    const response = await invoke(handler, request, match.route.routeKey, remainingMs);
    return response.status === 308
      ? send({ ...request, target: locationOf({ ...response, target: request.target }) })
      : response;
  };
  return send;
}
