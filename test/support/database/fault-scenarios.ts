import { allRoutes } from "../../../functions/definitions.ts";
import type { PreparedRequest } from "../../../functions/example-requests.ts";
import { deletionOf, idIn, prepareWithRecords } from "../../../functions/example-requests.ts";
import { isCreation } from "../../../lib/http/route.ts";
import { credentials } from "../data/credentials.ts";
import { schemeOf } from "../own-access.ts";
import type { DatabaseCall, EngineFault, FaultyEngine } from "./faulty-engine.ts";

const creations = allRoutes.filter(isCreation).map(({ key }) => key);
/** Those of records with an id whose path ends in a slash, so that fallback handles them too. */
const slashed = creations.filter((key) => key.endsWith("/") && deletionOf(key) !== undefined);

const keyedLists = allRoutes.filter(
  ({ authorizer, request }) => authorizer?.scheme === "apiKey" && request.query,
);

interface Gateways {
  readonly lenient: string;
  readonly strict: string;
}

/** Lets functions meet the faults that they handle, for slashed paths both. @returns the unexpected responses */
export async function runFaultScenarios(engine: FaultyEngine, gateways: Gateways): Promise<string[]> {
  const { lenient, strict } = gateways;
  const wrong: string[] = [];
  const send = async (gateway: string, path: string, json: unknown, status: number, headers = {}) => {
    const method = json === undefined ? "GET" : "POST";
    const response = await fetch(gateway + path, { method, headers, body: JSON.stringify(json) });
    const body = (await response.text()) || "{}";
    if (response.status !== status) wrong.push(`${method} ${path} with a fault → ${response.status} ${body}`);
    if (status === 503 && !response.headers.has("retry-after"))
      wrong.push(`POST ${path} with a fault → 503 without Retry-After`);
    return { ...JSON.parse(body), location: response.headers.get("location") ?? "" };
  };
  const { access_token: token } = await send(lenient, "/auth/login", credentials.admin, 200);
  const asAdmin = { authorization: `Bearer ${token}` };
  const ids = new Map<string, number>();
  /** The examples of creations, after the records to which they refer were created. */
  const examples = (keys: readonly string[], unique: string) =>
    Promise.all(keys.map((key) => prepareWithRecords(key, { ids, unique, create })));
  const post = (gateway: string, { route, target, body }: PreparedRequest, status: number, headers = {}) =>
    send(gateway, target, body, status, { ...(schemeOf(route) && asAdmin), ...headers });
  const create = async (request: PreparedRequest) => idIn((await post(lenient, request, 201)).location);

  const lostCreations = await examples(creations, "lost");
  const lostSlashed = lostCreations.filter(({ route }) => slashed.includes(route.key));
  await during(engine, creationFails, () => [
    ...lostCreations.map((request) => post(lenient, request, 503)),
    ...lostSlashed.map((request) => post(strict, request, 503)),
  ]);
  const repeated = (await examples(creations, "once")).filter(({ target }) => target !== "/users/");
  const onStrict = await examples(slashed, "strict");
  const accounts = await Promise.all(
    Object.entries(gateways).map(async ([name, gateway]) => {
      const [request] = await examples(["POST /users/"], name);
      return [name, gateway, request] as const;
    }),
  );
  await during(
    engine,
    (call) => leftOver(call) ?? losesTransaction(call),
    () => [
      send(lenient, "/auth/login", credentials.admin, 200),
      ...keyedLists.map(({ pattern }) =>
        send(lenient, pattern, undefined, 200, { "x-api-key": credentials.apiKey }),
      ),
      ...repeated.map((request) => post(lenient, request, 201)),
      // Only fallback handles these on a strict gateway.
      ...onStrict.map((request) => post(strict, request, 201)),
      ...accounts.map(([name, gateway, request]) =>
        post(gateway, request as PreparedRequest, 201, { "idempotency-key": name }),
      ),
    ],
  );
  const [[, , registered] = []] = accounts;
  const { username, password } = { ...(registered?.body as { username: string; password: string }) };
  const { access_token: own } = await send(lenient, "/auth/login", { username, password }, 200);
  const deletion = { authorization: `Bearer ${own}` };
  await during(engine, losesTransaction, () => [
    send(lenient, "/users/me/deletion", { password }, 204, deletion),
  ]);
  return wrong;
}

type Plan = FaultyEngine["plan"];

async function during(engine: FaultyEngine, plan: Plan, requests: () => readonly Promise<unknown>[]) {
  engine.plan = plan;
  try {
    await Promise.all(requests());
  } finally {
    engine.plan = () => undefined;
  }
}

function creationFails({ body }: DatabaseCall): EngineFault | undefined {
  return body.TransactItems?.[0]?.Put === undefined ? undefined : "throttled";
}

function leftOver({ operation }: DatabaseCall): EngineFault | undefined {
  return operation === "BatchGetItem" ? "leftOver" : undefined;
}

/** Loses all responses to a transaction: another one with its token finds out whether it was committed. */
function losesTransaction({ body: { TransactItems: items = [] } }: DatabaseCall): EngineFault | undefined {
  return items.length > 0 && items[0]?.ConditionCheck === undefined ? "lost" : undefined;
}
