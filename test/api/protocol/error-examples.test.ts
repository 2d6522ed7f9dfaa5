import { describe, expect, it } from "vitest";
import type { ApiResponse } from "../../support/api/conformance.ts";
import { expectDocumentedError } from "../../support/api/documented-error.ts";
import { api } from "../../support/api/target.ts";
import { logInWhenThrottled, newAccount, withAccount, withToken } from "../../support/data/accounts.ts";
import { UNKNOWN_ID } from "../../support/data/posts.ts";
import { asAdmin, withProduct } from "../../support/data/products.ts";
import { document } from "../../support/infra/openapi.ts";

async function withOrder(): Promise<number> {
  const { id } = await withProduct();
  return (await api.post("/orders", [{ product_id: id, quantity: 1 }])).body.id;
}

const outdated = { headers: { "if-match": '"another"' } };

/** Operations, error statuses, and a request for each. */
const errors: readonly [string, number, () => Promise<ApiResponse>][] = [
  ["GET /todos/{id}", 404, () => api.get(`/todos/${UNKNOWN_ID}`)],
  ["GET /todos", 422, () => api.get("/todos?limit=0")],
  ["POST /todos", 422, () => api.post("/todos", {})],
  ["PUT /todos/{id}", 422, () => api.put(`/todos/${UNKNOWN_ID}`)],
  [
    "DELETE /todos/{id}",
    412,
    async () => {
      const { id } = (await api.post("/todos", { title: "Buy milk" })).body;
      return api.delete(`/todos/${id}`, outdated);
    },
  ],
  ["GET /users", 400, () => api.get("/users", { headers: { "api-version": "3.0" } })],
  ["GET /users", 400, () => api.get("/users?order=0")],
  ["POST /users", 400, () => api.post("/users", {})],
  ["GET /users/{id}", 404, () => api.get(`/users/${UNKNOWN_ID}`)],
  ["PUT /users/{id}", 404, () => api.put(`/users/${UNKNOWN_ID}`, { name: "Ada", email: "a@b", age: 1 })],
  [
    "POST /users/",
    409,
    async () => {
      const user = newAccount();
      await api.post("/users/", user);
      const { status, headers, text } = await api.post("/users/", user);
      const exampleText = text.replace(user.username, "ada");
      return { status, headers, text: exampleText, body: JSON.parse(exampleText) };
    },
  ],
  ["POST /users/", 422, () => api.post("/users/", {})],
  ["POST /users/batch", 422, () => api.post("/users/batch", {})],
  [
    "POST /auth/login",
    401,
    () => api.post("/auth/login", { username: "nobody_at_all", password: "Wrong1234" }),
  ],
  ["POST /auth/login", 422, () => api.post("/auth/login")],
  ["POST /auth/login", 429, () => logInWhenThrottled(newAccount())],
  ["GET /users/me", 401, () => api.get("/users/me")],
  ["GET /admin/users", 403, async () => api.get("/admin/users", withToken((await withAccount()).token))],
  ["GET /products/{product_id}", 404, () => api.get(`/products/${UNKNOWN_ID}`)],
  ["GET /products/{product_id}", 422, () => api.get("/products/x")],
  ["DELETE /products/{product_id}", 404, async () => api.delete(`/products/${UNKNOWN_ID}`, await asAdmin())],
  [
    "POST /orders",
    400,
    async () => {
      const { id } = await withProduct({ name: "Desk lamp", stock: 12 });
      return api.post("/orders", [{ product_id: id, quantity: 13 }]);
    },
  ],
  ["POST /orders", 404, () => api.post("/orders", [{ product_id: UNKNOWN_ID, quantity: 1 }])],
  ["GET /orders/{order_id}", 404, () => api.get(`/orders/${UNKNOWN_ID}`)],
  [
    "PATCH /orders/{order_id}/status",
    400,
    async () => {
      const id = await withOrder();
      await api.patch(`/orders/${id}/status?status=cancelled`);
      return api.patch(`/orders/${id}/status?status=paid`);
    },
  ],
  ["PATCH /orders/{order_id}/status", 422, () => api.patch(`/orders/${UNKNOWN_ID}/status`)],
  ["GET /posts", 422, () => api.get("/posts?status=0")],
  ["GET /posts/{post_id}", 404, () => api.get(`/posts/${UNKNOWN_ID}`)],
  ["GET /posts/search", 422, () => api.get("/posts/search")],
  ["GET /users/{id}/posts", 404, () => api.get(`/users/${UNKNOWN_ID}/posts`)],
  ["GET /api/protected", 401, () => api.get("/api/protected")],
  ["GET /docs/assets/{file}", 404, () => api.get("/docs/assets/none.js")],
  ["GET /error", 400, () => api.get("/error")],
  ["GET /errors/{status}", 500, () => api.get("/errors/500")],
];

describe("the documented example", () => {
  it.each(errors)("of %s → %i is the actual response", async (key, status, send) => {
    expectDocumentedError(key, status, await send());
  });

  it.each([
    ["RouteNotFound", "GET", "/nowhere"],
    ["MethodNotAllowed", "PATCH", "/todos"],
  ])("of %s is the actual response", async (name, method, path) => {
    const { content } = document.components.responses[name] ?? {};

    expect(content?.["application/json"]?.example).toEqual((await api.request(method, path)).body);
  });
});
