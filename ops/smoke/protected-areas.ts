import type { AreaContext } from "./areas.ts";
import { idOf, type SmokeTest, textOf } from "./smoke-test.ts";

/** Adds credentials. Calls whose credential is missing are not tested. */
export interface ProtectedAreaContext extends AreaContext {
  /** A static key. */
  readonly apiKey?: string | undefined;
  /** The password of the account `admin`. */
  readonly adminPassword?: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

const needsPassword = "needs --admin-password";

/** Routes that need a static key. */
export async function testApiKey({ test, apiKey }: ProtectedAreaContext): Promise<void> {
  await test.call("GET", "/api/protected", { status: 401 });
  await test.call("GET", "/api/no-such-path", { status: 401 });
  const routes = ["/api/v1/users", "/api/v2/users", "/api/no-such-path"] as const;
  if (apiKey === undefined) {
    for (const path of ["/api/protected", ...routes]) test.skip(`GET ${path}`, "needs --api-key");
    return;
  }
  const headers = { "x-api-key": apiKey };
  await test.call("GET", "/api/protected", { headers, status: 200 });
  await test.call("GET", routes[0], { headers, status: 200, body: { version: "1.0" } });
  await test.call("GET", routes[1], { headers, status: 200, body: { version: "2.0" } });
  await test.call("GET", routes[2], { headers, status: 404 });
}

/** Accounts and login. No route deletes accounts. */
export async function testAccounts({ test, name, adminPassword }: ProtectedAreaContext): Promise<void> {
  const password = `Only for ${name} 1`;
  const account = (username: string) => ({ username, email: `${username}@example.com` });
  const [first, second] = [account(name), account(`${name}_2`)];
  await test.call("POST", "/users/", { json: { ...first, password }, status: 201, body: first });
  test.leftBehind.push(`the accounts ${first.username} and ${second.username}`);
  const batch = { json: [{ ...second, password }], status: 201, body: { created: 1 } };
  await test.call("POST", "/users/batch", batch);
  await test.call("POST", "/users/", {
    json: { ...first, password },
    status: 409,
    body: { error: "Conflict" },
  });
  const wrong = { ...first, password: "wrong" };
  await test.call("POST", "/auth/login", {
    json: wrong,
    status: 401,
    body: { detail: "Incorrect username or password" },
  });
  await test.call("GET", "/users/me", { status: 401, body: { detail: "Could not validate credentials" } });
  const headers = await logIn(test, first.username, password);
  await test.call("GET", "/users/me", { headers, status: 200, body: { ...first, role: "user" } });
  await test.call("GET", "/admin/users", { headers, status: 403, body: { detail: "Admin access required" } });
  await test.call("POST", "/products", { headers, json: {}, status: 403 });
  if (adminPassword === undefined) {
    test.skip("GET /admin/users", needsPassword);
    return;
  }
  const admin = await logIn(test, "admin", adminPassword);
  await test.call("GET", "/admin/users", { headers: admin, status: 200, entry: { ...first, role: "user" } });
}

/** Products and orders. It orders a product of its own, because an order reduces stock permanently. */
export async function testShop({ test, name, adminPassword }: ProtectedAreaContext): Promise<void> {
  await test.call("GET", "/products?page=1&size=1", {
    status: 200,
    body: { page: 1, size: 1 },
    responseHeaders: { link: /rel="first"/ },
  });
  await test.call("GET", "/products?category=none", { status: 200 });
  await test.call("GET", "/products/0", { status: 404 });
  await test.call("POST", "/products", { json: {}, status: 401 });
  await test.call("GET", "/orders/0", { status: 404 });
  await test.call("POST", "/orders", { json: [], status: 422, body: { error: "ValidationError" } });
  const noProduct = [{ product_id: 0, quantity: 1 }];
  await test.call("POST", "/orders", {
    json: noProduct,
    status: 404,
    body: { detail: "Product with id 0 not found" },
  });
  if (adminPassword === undefined) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      test.skip(`${method} /products${method === "POST" ? "" : "/{product_id}"}`, needsPassword);
    for (const route of ["POST /orders", "PATCH /orders/{order_id}/status"])
      test.skip(route, `${needsPassword}: it would reduce the stock of real products`);
    await test.call("GET", "/orders?user_id=-1", { status: 200 });
    return;
  }
  const headers = await logIn(test, "admin", adminPassword);
  const product = {
    name,
    description: "Created by npm run smoke",
    price: 0.1,
    stock: 9,
    category: "smoke test",
  };
  const id = idOf(
    await test.call("POST", "/products", { headers, json: product, status: 201, body: product }),
  );
  const path = `/products/${id}`;
  test.removeLater(path, headers);
  await test.call("PUT", path, { headers, json: { ...product, stock: 8 }, status: 200, body: { stock: 8 } });
  await test.call("PATCH", path, {
    headers,
    json: { stock: 5 },
    status: 200,
    body: { ...product, stock: 5 },
  });
  await testOrder(test, id);
  await test.call("GET", path, { status: 200, body: { stock: 2 } });
}

async function testOrder(test: SmokeTest, product_id: number): Promise<void> {
  // No record has this user id, so the list of its orders stays short.
  const user = "user_id=-1";
  const json = [{ product_id, quantity: 3 }];
  const created = await test.call("POST", `/orders?${user}`, {
    json,
    status: 201,
    body: { total: 0.3, status: "pending" },
  });
  const id = idOf(created);
  test.leftBehind.push(`the order ${id}`);
  await test.call("POST", `/orders?${user}`, { json, status: 400 });
  await test.call("GET", `/orders/${id}`, { status: 200, body: { items: json } });
  // Read from an eventually consistent index: the order may be missing.
  await test.call("GET", `/orders?${user}&status=pending`, { status: 200 });
  await test.call("PATCH", `/orders/${id}/status?status=cancelled`, {
    status: 200,
    body: { status: "cancelled" },
  });
  await test.call("PATCH", `/orders/${id}/status?status=paid`, { status: 400 });
}

/** Logs in with a body, because query strings end up in logs. */
export async function logIn(test: SmokeTest, username: string, password: string): Promise<Headers> {
  const token = await test.call("POST", "/auth/login", { json: { username, password }, status: 200 });
  return { authorization: `Bearer ${textOf(token, "access_token")}` };
}
