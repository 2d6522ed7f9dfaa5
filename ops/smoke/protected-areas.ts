import type { Visit } from "./areas.ts";
import { idOf, textOf, type Walk } from "./smoke-test.ts";

/** What some areas need besides; without it, parts of them are not tried. */
export interface GuardedVisit extends Visit {
  /** A static key. */
  readonly apiKey?: string | undefined;
  /** The password of the account `admin`. */
  readonly adminPassword?: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

const needsPassword = "needs --admin-password";

/** What is behind the static key. */
export async function visitApiKey({ walk, apiKey }: GuardedVisit): Promise<void> {
  await walk.call("GET", "/api/protected", { status: 401 });
  await walk.call("GET", "/api/no-such-path", { status: 401 });
  const routes = ["/api/v1/users", "/api/v2/users", "/api/no-such-path"] as const;
  if (apiKey === undefined) {
    for (const path of ["/api/protected", ...routes]) walk.skip(`GET ${path}`, "needs --api-key");
    return;
  }
  const headers = { "x-api-key": apiKey };
  await walk.call("GET", "/api/protected", { headers, status: 200 });
  await walk.call("GET", routes[0], { headers, status: 200, has: { version: "1.0" } });
  await walk.call("GET", routes[1], { headers, status: 200, has: { version: "2.0" } });
  await walk.call("GET", routes[2], { headers, status: 404 });
}

/** Accounts and login. No route deletes an account. */
export async function visitAccounts({ walk, name, adminPassword }: GuardedVisit): Promise<void> {
  const password = `Only for ${name} 1`;
  const account = (username: string) => ({ username, email: `${username}@example.com` });
  const [one, two] = [account(name), account(`${name}_2`)];
  await walk.call("POST", "/users/", { json: { ...one, password }, status: 201, has: one });
  walk.leftBehind.push(`the accounts ${one.username} and ${two.username}`);
  const batch = { json: [{ ...two, password }], status: 201, has: { created: 1 } };
  await walk.call("POST", "/users/batch", batch);
  await walk.call("POST", "/users/", { json: { ...one, password }, status: 409, has: { error: "Conflict" } });
  const wrong = { ...one, password: "wrong" };
  await walk.call("POST", "/auth/login", {
    json: wrong,
    status: 401,
    has: { detail: "Incorrect username or password" },
  });
  await walk.call("GET", "/users/me", { status: 401, has: { detail: "Could not validate credentials" } });
  const headers = await logIn(walk, one.username, password);
  await walk.call("GET", "/users/me", { headers, status: 200, has: { ...one, role: "user" } });
  await walk.call("GET", "/admin/users", { headers, status: 403, has: { detail: "Admin access required" } });
  await walk.call("POST", "/products", { headers, json: {}, status: 403 });
  if (adminPassword === undefined) {
    walk.skip("GET /admin/users", needsPassword);
    return;
  }
  const admin = await logIn(walk, "admin", adminPassword);
  await walk.call("GET", "/admin/users", { headers: admin, status: 200, includes: { ...one, role: "user" } });
}

/** The catalog, and orders of a product that is only there for them: an order takes stock for good. */
export async function visitShop({ walk, name, adminPassword }: GuardedVisit): Promise<void> {
  await walk.call("GET", "/products?page=1&size=1", {
    status: 200,
    has: { page: 1, size: 1 },
    carries: { link: /rel="first"/ },
  });
  await walk.call("GET", "/products?category=none", { status: 200 });
  await walk.call("GET", "/products/0", { status: 404 });
  await walk.call("POST", "/products", { json: {}, status: 401 });
  await walk.call("GET", "/orders/0", { status: 404 });
  await walk.call("POST", "/orders", { json: [], status: 422, has: { error: "ValidationError" } });
  const noProduct = [{ product_id: 0, quantity: 1 }];
  await walk.call("POST", "/orders", {
    json: noProduct,
    status: 404,
    has: { detail: "Product with id 0 not found" },
  });
  if (adminPassword === undefined) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      walk.skip(`${method} /products${method === "POST" ? "" : "/{product_id}"}`, needsPassword);
    for (const route of ["POST /orders", "PATCH /orders/{order_id}/status"])
      walk.skip(route, `${needsPassword}: without a product of its own it would take the stock of others`);
    await walk.call("GET", "/orders?user_id=-1", { status: 200 });
    return;
  }
  const headers = await logIn(walk, "admin", adminPassword);
  const product = { name, description: "Of a smoke test", price: 0.1, stock: 9, category: "smoke test" };
  const id = idOf(
    await walk.call("POST", "/products", { headers, json: product, status: 201, has: product }),
  );
  const path = `/products/${id}`;
  walk.removeLater(path, headers);
  await walk.call("PUT", path, { headers, json: { ...product, stock: 8 }, status: 200, has: { stock: 8 } });
  await walk.call("PATCH", path, { headers, json: { stock: 5 }, status: 200, has: { ...product, stock: 5 } });
  await order(walk, id);
  await walk.call("GET", path, { status: 200, has: { stock: 2 } });
}

async function order(walk: Walk, product_id: number): Promise<void> {
  // A user id that no record has: the list of that user's orders stays short.
  const user = "user_id=-1";
  const json = [{ product_id, quantity: 3 }];
  const created = await walk.call("POST", `/orders?${user}`, {
    json,
    status: 201,
    has: { total: 0.3, status: "pending" },
  });
  const id = idOf(created);
  walk.leftBehind.push(`the order ${id}`);
  await walk.call("POST", `/orders?${user}`, { json, status: 400 });
  await walk.call("GET", `/orders/${id}`, { status: 200, has: { items: json } });
  // By an index, which may lag behind: whether the order is among them is no matter of pass or fail.
  await walk.call("GET", `/orders?${user}&status=pending`, { status: 200 });
  await walk.call("PATCH", `/orders/${id}/status?status=cancelled`, {
    status: 200,
    has: { status: "cancelled" },
  });
  await walk.call("PATCH", `/orders/${id}/status?status=paid`, { status: 400 });
}

/** Logs in; with a body, since query strings end up in logs. */
async function logIn(walk: Walk, username: string, password: string): Promise<Headers> {
  const token = await walk.call("POST", "/auth/login", { json: { username, password }, status: 200 });
  return { authorization: `Bearer ${textOf(token, "access_token")}` };
}
