import type { AreaContext } from "./areas.ts";
import { logIn, type ProtectedAreaContext } from "./protected-areas.ts";

/** First pages, and records that do not exist: reading a post would count a view. */
export async function readRecords({ test }: AreaContext): Promise<void> {
  await test.call("GET", "/todos?limit=1", { status: 200 });
  await test.call("GET", "/todos/0", { status: 404, body: { error: "Todo not found" } });
  await test.call("GET", "/users?page=1&limit=1", { status: 200 });
  await test.call("GET", "/users/0", { status: 404, body: { success: false } });
  await test.call("GET", "/users/0/posts", { status: 404 });
  await test.call("GET", "/products?page=1&size=1", { status: 200, body: { page: 1, size: 1 } });
  await test.call("GET", "/products/0", { status: 404 });
  await test.call("GET", "/orders?user_id=-1", { status: 200 });
  await test.call("GET", "/orders/0", { status: 404 });
  await test.call("GET", "/posts?limit=1", { status: 200 });
  await test.call("GET", "/items?size=1", { status: 200, body: { page: 1, size: 1 } });
  await test.call("GET", "/items/0", { status: 404, body: { error: "NotFound" } });
}

/** A successful login leaves nothing behind, and proves that the signing secret can be read. */
export async function readAccounts({ test, adminPassword }: ProtectedAreaContext): Promise<void> {
  await test.call("GET", "/users/me", { status: 401, body: { detail: "Could not validate credentials" } });
  await test.call("GET", "/admin/users", { status: 401 });
  if (adminPassword === undefined) return;
  const headers = await logIn(test, "admin", adminPassword);
  await test.call("GET", "/users/me", { headers, status: 200, body: { username: "admin", role: "admin" } });
  await test.call("GET", "/admin/users?limit=1", { headers, status: 200 });
}
