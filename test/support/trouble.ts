import { credentials } from "./credentials.ts";
import type { DatabaseCall, FaultyEngine, Trouble } from "./faulty-engine.ts";

/** The same functions behind both kinds of gateway. */
export interface Gateways {
  readonly lenient: string;
  readonly strict: string;
}

/**
 * Sends the requests that make the functions do what no client can ask for: end a creation whose outcome is
 * unknown, find a record that was put by an attempt whose answer was lost, read what a batch left over. And it
 * sends what ends in a slash to both functions that hold it.
 *
 * @returns a line for each answer that is another one than it has to be
 */
export async function driveThroughTrouble(engine: FaultyEngine, gateways: Gateways): Promise<string[]> {
  const { lenient, strict } = gateways;
  const wrong: string[] = [];
  const send = async (gateway: string, path: string, json: unknown, status: number, headers = {}) => {
    const response = await fetch(gateway + path, { method: "POST", headers, body: JSON.stringify(json) });
    const body = await response.text();
    if (response.status !== status) wrong.push(`POST ${path} in trouble → ${response.status} ${body}`);
    if (status === 503 && !response.headers.has("retry-after"))
      wrong.push(`POST ${path} in trouble → 503 without Retry-After`);
    return JSON.parse(body);
  };
  const { access_token: token } = await send(lenient, "/auth/login", credentials.admin, 200);
  const asAdmin = { authorization: `Bearer ${token}` };
  const product = { name: "Kettle", description: "", price: 1, stock: 9, category: "kitchen" };
  const { id: product_id } = await send(lenient, "/products", product, 201, asAdmin);
  const cart = [{ product_id, quantity: 1 }];

  await during(engine, creationFails, () => [
    send(lenient, "/todos", { title: "Lost" }, 503),
    send(lenient, "/users", { name: "Lost", email: "lost@example.com", age: 1 }, 503),
    send(lenient, "/products", product, 503, asAdmin),
    send(lenient, "/orders", cart, 503),
    send(lenient, "/posts", { title: "Lost", content: "Lost" }, 503),
    send(lenient, "/items/", {}, 503),
    send(strict, "/items/", {}, 503),
  ]);
  const lost = new Set<string>();
  await during(
    engine,
    (call) => leftOver(call) ?? losesFirstPut(call, lost),
    () => [
      send(lenient, "/orders", cart, 201),
      send(strict, "/items/", { name: "Found again" }, 201),
      ...Object.entries(gateways).map(([name, gateway]) => {
        const user = { username: `slash_${name}`, email: `${name}@example.com`, password: "Passw0rd" };
        return send(gateway, "/users/", user, 201, { "idempotency-key": name });
      }),
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

/** The put that a creation ends with, alone or in a transaction; taking stock for an order is none. */
function creationFails({ operation, body }: DatabaseCall): Trouble | undefined {
  const kinds = (body.TransactItems ?? []).flatMap((item) => Object.keys(item));
  const isCreation = operation === "PutItem" || (kinds.includes("Put") && !kinds.includes("Update"));
  return isCreation ? "throttled" : undefined;
}

function leftOver({ operation }: DatabaseCall): Trouble | undefined {
  return operation === "BatchGetItem" ? "leftOver" : undefined;
}

function losesFirstPut({ operation, body: { TableName = "" } }: DatabaseCall, lost: Set<string>) {
  if (operation !== "PutItem" || lost.has(TableName)) return undefined;
  lost.add(TableName);
  return "lost";
}
