import { definitions } from "../../../functions/definitions.ts";
import { prepare, shownContext } from "../../../functions/example-requests.ts";
import { credentials } from "../data/credentials.ts";
import type { DatabaseCall, EngineFault, FaultyEngine } from "./faulty-engine.ts";

/** The creations of records with an id whose path ends in a slash, so that fallback handles them too. */
const slashed = Object.values(definitions)
  .filter(({ tables = {} }) => Object.values(tables).some(({ hasIds }) => hasIds))
  .flatMap(({ requests }) => Object.keys(requests))
  .filter((key) => /^POST .*\/$/.test(key))
  .map((key) => prepare(key, shownContext));

/** The URLs of two gateways to the same functions. */
interface Gateways {
  readonly lenient: string;
  readonly strict: string;
}

/**
 * Makes the functions handle database faults: a creation with an unknown outcome, a record written by an attempt whose
 * response was lost, the unprocessed keys of a batch. Operations whose path ends in a slash are sent to both of their
 * functions.
 *
 * @returns a line for each unexpected response
 */
export async function runFaultScenarios(engine: FaultyEngine, gateways: Gateways): Promise<string[]> {
  const { lenient, strict } = gateways;
  const wrong: string[] = [];
  const send = async (gateway: string, path: string, json: unknown, status: number, headers = {}) => {
    const method = json === undefined ? "GET" : "POST";
    const response = await fetch(gateway + path, { method, headers, body: JSON.stringify(json) });
    const body = await response.text();
    if (response.status !== status) wrong.push(`${method} ${path} with a fault → ${response.status} ${body}`);
    if (status === 503 && !response.headers.has("retry-after"))
      wrong.push(`POST ${path} with a fault → 503 without Retry-After`);
    return JSON.parse(body);
  };
  const { access_token: token } = await send(lenient, "/auth/login", credentials.admin, 200);
  const asAdmin = { authorization: `Bearer ${token}` };
  const product = { name: "Kettle", description: "", price: 1, stock: 9, category: "kitchen" };
  const { id: product_id } = await send(lenient, "/products", product, 201, asAdmin);
  const cart = [{ product_id, quantity: 1 }];
  const largeUser = { name: "💡".repeat(200), email: `${"é".repeat(319)}@`, age: 1 };
  const { id: author } = await send(lenient, "/users", largeUser, 201);

  await during(engine, creationFails, () => [
    send(lenient, "/todos", { title: "Lost" }, 503),
    send(lenient, "/users", { name: "Lost", email: "lost@example.com", age: 1 }, 503),
    send(lenient, "/products", product, 503, asAdmin),
    send(lenient, "/orders", cart, 503),
    send(lenient, "/posts", { title: "Lost", content: "Lost" }, 503),
    ...slashed.flatMap(({ target, body }) => [
      send(lenient, target, body, 503),
      send(strict, target, body, 503),
    ]),
  ]);
  await during(
    engine,
    (call) => leftOver(call) ?? losesCreation(call),
    () => [
      send(lenient, "/auth/login", credentials.admin, 200),
      send(lenient, "/orders", cart, 201),
      send(lenient, `/users/${author}/posts`, { title: "By a large user", content: "x" }, 201),
      send(lenient, "/api/v1/users", undefined, 200, { "x-api-key": credentials.apiKey }),
      ...Object.entries(gateways).map(([name, gateway]) => {
        const user = { username: `slash_${name}`, email: `${name}@example.com`, password: "Passw0rd" };
        return send(gateway, "/users/", user, 201, { "idempotency-key": name });
      }),
      ...slashed.map(({ target, body }) => send(strict, target, body, 201)),
    ],
  );
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

/** Fails the last write of a creation, but not the reservation of an order's stock. */
function creationFails({ body }: DatabaseCall): EngineFault | undefined {
  const writes = (body.TransactItems ?? []).flatMap((item) => Object.keys(item));
  const isCreation = writes.includes("Put") && !writes.includes("Update");
  return isCreation ? "throttled" : undefined;
}

function leftOver({ operation }: DatabaseCall): EngineFault | undefined {
  return operation === "BatchGetItem" ? "leftOver" : undefined;
}

/** Loses all responses to the creation of a record: whether it exists is found out when its id shall be released. */
function losesCreation({ body: { TransactItems: items } }: DatabaseCall): EngineFault | undefined {
  const block = items?.[0]?.Put?.Item?.pk?.S;
  return block !== undefined && /^\d+$/.test(block) ? "lost" : undefined;
}
