import * as z from "zod/mini";
import { allRoutes, routesByArea } from "../../functions/definitions.ts";
import {
  exampleOf,
  type PreparedRequest,
  prepareWithRecords,
  referencesOf,
  shownContext,
} from "../../functions/example-requests.ts";
import { isCreation, type Route } from "../../lib/http/route.ts";
import { adminLogin, tokenRoute } from "../../ops/smoke-test.ts";
import { schemeOf } from "./own-access.ts";

const HEAD = `# The example request of each route, for editors that can send them (VS Code's REST Client, JetBrains' HTTP Client).
# Written by npm run generate. Send them in this order: later ones refer to the responses of earlier ones. They work with
# \`npm start\` and with \`SEED=demo npm start\`, which print the API key and the password of the account admin.

@url = http://localhost:8080
@apiKey = printed-by-npm-start
@adminPassword = printed-by-npm-start
`;

/** Ids in requests, each until it is replaced by a reference to the response that has it. */
const FIRST_PLACEHOLDER = 770_001;

const areaOf = new Map(
  Object.entries(routesByArea).flatMap(([area, routes]) => routes.map(({ key }) => [key, area] as const)),
);

/** The routes whose example succeeds as it is, deletions last, and of these the records of others first. */
export const sentRoutes: readonly Route[] = Object.values(routesByArea)
  .flat()
  .filter(
    ({ key, responses }) => Object.keys(responses).length > 0 && !exampleOf(key, shownContext).isIllustrative,
  )
  .sort((a, b) => deletionRank(a) - deletionRank(b));

export async function requestFile(): Promise<string> {
  const parts = [HEAD];
  const ids = new Map<string, number>();
  const references: string[] = [];
  let isLoggedIn = false;

  const add = (request: PreparedRequest) => {
    if (requiredScheme(request.route) === "bearer" && !isLoggedIn) {
      isLoggedIn = true;
      const login = tokenRoute && adminLogin(tokenRoute, "{{adminPassword}}");
      if (login) parts.push(textOf(login, "logInAsAdmin", "Log in as the administrator"));
    }
    parts.push(textOf(request, request.route.operationId, request.route.summary));
  };
  const create = async (request: PreparedRequest) => {
    add(request);
    const { responses, operationId } = request.route;
    // Without an id in the body it is the first record of its kind.
    if (!(responses[201] instanceof z.ZodMiniObject && "id" in responses[201].shape)) return 1;
    return FIRST_PLACEHOLDER + references.push(`{{${operationId}.response.body.id}}`) - 1;
  };
  for (const route of sentRoutes) {
    if (ids.has(route.key)) continue;
    const request = await prepareWithRecords(route.key, { ids, unique: "", create });
    if (isCreation(route)) ids.set(route.key, await create(request));
    else add(request);
  }
  return references.reduce(
    (text, reference, i) => text.replaceAll(String(FIRST_PLACEHOLDER + i), reference),
    parts.join("\n"),
  );
}

function requiredScheme(route: Route) {
  const scheme = schemeOf(route);
  return route.authorizer?.isOptional && scheme === route.authorizer.scheme ? undefined : scheme;
}

function deletionRank({ key, method }: Route): number {
  return method === "DELETE" ? 10 - referencesOf(key).length : 0;
}

function textOf({ route, method, target, body }: PreparedRequest, name: string, summary: string): string {
  const scheme = requiredScheme(route);
  const { issuedBy } = route.authorizer ?? {};
  const issuer = allRoutes.find(({ key }) => key === issuedBy?.route)?.operationId;
  const key = issuer ? `${issuer}.response.body.${issuedBy?.field}` : "apiKey";
  return [
    `### ${areaOf.get(route.key)}: ${summary}`,
    ...(isCreation(route) || route.key === tokenRoute ? [`# @name ${name}`] : []),
    `${method} {{url}}${target}`,
    ...(scheme === "bearer" ? ["Authorization: Bearer {{logInAsAdmin.response.body.access_token}}"] : []),
    ...(scheme === "apiKey" ? [`X-API-Key: {{${key}}}`] : []),
    ...(body === undefined ? [] : ["Content-Type: application/json", "", JSON.stringify(body, null, 2)]),
    "",
  ].join("\n");
}
