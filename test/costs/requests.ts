import type { ApiClient } from "../support/api/client.ts";
import type { ApiResponse } from "../support/api/conformance.ts";
import { NEWEST, SOMEBODY } from "./fill-tables.ts";

/** The context of a measured request. */
interface Setting {
  readonly api: ApiClient;
  /** The number of records of each kind. */
  readonly count: number;
  /** Request headers of an administrator, and with a static key. */
  readonly admin: { readonly headers: Record<string, string> };
  readonly key: { readonly headers: Record<string, string> };
  /** The administrator's credentials. */
  readonly credentials: { readonly username: string; readonly password: string };
  /** A unique number, for new names. */
  readonly fresh: () => number;
}

const product = { name: "p", description: "d", price: 1, stock: 1, category: "c" };
const post = { title: "Title", content: "x".repeat(900) };
const longest = { ...post, content: "x".repeat(100_000) };

/** A new account's data. */
function registration({ fresh }: Setting) {
  const username = `fresh${fresh()}`;
  return { username, email: `${username}@example.com`, password: "Correct horse 1" };
}

/**
 * A request for every route: its name in the table, which begins with the route's key, and how to make it. Requests
 * that delete come last and take the newest records; the costs do not depend on which ones.
 */
export const requests: Readonly<Record<string, (setting: Setting) => Promise<ApiResponse>>> = {
  "GET /todos": ({ api }) => api.get("/todos"),
  "GET /todos/{id}": ({ api }) => api.get("/todos/1"),
  "POST /todos": ({ api }) => api.post("/todos", { title: "t" }),
  "POST /todos, 1,000 characters": ({ api }) => api.post("/todos", { title: "x".repeat(1_000) }),
  "PUT /todos/{id}": ({ api }) => api.put("/todos/1", { completed: true }),
  "DELETE /todos/{id}": ({ api, count }) => api.delete(`/todos/${count}`),

  "GET /users": ({ api }) => api.get("/users"),
  "GET /users, first page of 10": ({ api }) => api.get("/users?page=1"),
  "GET /users, last page of 10": ({ api, count }) => api.get(`/users?page=${count / 10}`),
  "GET /users, name, sort and role": ({ api }) => api.get("/users?name=user&sort=age&role=admin"),
  "GET /users, 10 of a name": ({ api }) => api.get("/users?name=USER&limit=10"),
  "GET /users/search": ({ api }) => api.get("/users/search?q=nobody"),
  "POST /users/search": ({ api }) => api.post("/users/search", { filters: { age: 1 } }),
  "GET /users/{id}": ({ api }) => api.get("/users/1"),
  "POST /users": ({ api }) => api.post("/users", { name: "n", email: "n@example.com", age: 1 }),
  "PUT /users/{id}": ({ api }) => api.put("/users/1", { name: "n", email: "n@example.com", age: 1 }),
  "PATCH /users/{id}": ({ api }) => api.patch("/users/1", { age: 2 }),
  "DELETE /users/{id}": ({ api, count }) => api.delete(`/users/${count}`),

  "POST /users/": (setting) => setting.api.post("/users/", registration(setting)),
  "POST /users/batch, 25 users": (setting) =>
    setting.api.post(
      "/users/batch",
      Array.from({ length: 25 }, () => registration(setting)),
    ),
  "POST /auth/login": ({ api, credentials }) => api.post("/auth/login", undefined, { query: credentials }),
  "POST /auth/login, wrong password": ({ api }) => api.post("/auth/login?username=nobody&password=x"),
  "GET /users/me": ({ api, admin }) => api.get("/users/me", admin),
  "GET /admin/users": ({ api, admin }) => api.get("/admin/users", admin),

  "GET /api/protected": ({ api, key }) => api.get("/api/protected", key),
  "GET /api/v1/users": ({ api, key }) => api.get("/api/v1/users", key),
  "GET /api/v2/users": ({ api, key }) => api.get("/api/v2/users", key),

  "GET /products": ({ api }) => api.get("/products"),
  "GET /products, first page of 10": ({ api }) => api.get("/products?page=1"),
  "GET /products, last page of 10": ({ api, count }) => api.get(`/products?page=${count / 10}`),
  "GET /products, 10 of the catalog": ({ api }) => api.get("/products?limit=10"),
  "GET /products, one category": ({ api }) => api.get(`/products?category=${NEWEST}`),
  "GET /products/{product_id}": ({ api }) => api.get("/products/1"),
  "POST /products": ({ api, admin }) => api.post("/products", product, admin),
  "PUT /products/{product_id}": ({ api, admin, count }) => api.put(`/products/${count}`, product, admin),
  "PATCH /products/{product_id}": ({ api, admin, count }) =>
    api.patch(`/products/${count}`, { stock: 2 }, admin),
  "DELETE /products/{product_id}": ({ api, admin, count }) => api.delete(`/products/${count}`, admin),

  "GET /orders": ({ api }) => api.get("/orders"),
  "GET /orders, 10 of a user": ({ api }) => api.get(`/orders?user_id=${SOMEBODY}`),
  "GET /orders, 10 of a status": ({ api }) => api.get("/orders?status=paid"),
  "GET /orders/{order_id}": ({ api }) => api.get("/orders/1"),
  "POST /orders, 1 product": ({ api }) => api.post("/orders", [{ product_id: 1, quantity: 1 }]),
  "POST /orders, 5 products": ({ api }) =>
    api.post(
      "/orders",
      [1, 2, 3, 4, 5].map((product_id) => ({ product_id, quantity: 1 })),
    ),
  "POST /orders, unknown product": ({ api }) =>
    api.post("/orders", [{ product_id: 999_999_999, quantity: 1 }]),
  "PATCH /orders/{order_id}/status": ({ api }) => api.patch("/orders/1/status?status=shipped"),

  "GET /posts, first page of 10": ({ api }) => api.get("/posts"),
  "GET /posts, last page of 10": ({ api, count }) => api.get(`/posts?page=${count / 10}`),
  "GET /posts, 10 of a status": ({ api }) => api.get("/posts?status=published"),
  "GET /posts, sorted by views": ({ api }) => api.get("/posts?sort_by=view_count"),
  "GET /posts, 10 of a tag": ({ api }) => api.get(`/posts?tag=${NEWEST}`),
  "GET /posts/{post_id}": ({ api }) => api.get("/posts/1"),
  "GET /posts/stats/summary": ({ api }) => api.get("/posts/stats/summary"),
  "GET /posts/search, titles": ({ api }) => api.get("/posts/search?q=nothing&fields=title"),
  "GET /posts/search, contents": ({ api }) => api.get("/posts/search?q=nothing"),
  "POST /posts": ({ api }) => api.post("/posts", post),
  "PUT /posts/{post_id}": ({ api }) => api.put("/posts/1", post),
  // The post created above: others are read again below.
  "PUT /posts/{post_id}, 100,000 characters": ({ api, count }) => api.put(`/posts/${count + 1}`, longest),
  "GET /posts/{post_id}, 100,000 characters": ({ api, count }) => api.get(`/posts/${count + 1}`),
  "PATCH /posts/{post_id}, the title, 100,000 characters": ({ api, count }) =>
    api.patch(`/posts/${count + 1}`, { title: "New" }),
  "POST /posts, 100,000 characters": ({ api }) => api.post("/posts", longest),
  "DELETE /posts/{post_id}": ({ api, count }) => api.delete(`/posts/${count}`),
  "GET /users/{id}/posts, 9 posts": ({ api }) => api.get(`/users/${SOMEBODY}/posts`),
  "GET /users/{id}/posts/{post_id}": ({ api, count }) => api.get(`/users/${SOMEBODY}/posts/${count - 1}`),
  "POST /users/{id}/posts": ({ api }) => api.post("/users/1/posts", post),
  "DELETE /users/{id}/posts/{post_id}": ({ api, count }) =>
    api.delete(`/users/${SOMEBODY}/posts/${count - 1}`),

  "GET /items, first page of 10": ({ api }) => api.get("/items"),
  "GET /items, last page of 10": ({ api, count }) => api.get(`/items?page=${count / 10}`),
  "GET /items/{item_id}": ({ api }) => api.get("/items/1"),
  "POST /items/": ({ api }) => api.post("/items/", { name: "n", notes: post.content }),
  "POST /items/, 100 KB": ({ api }) =>
    api.post("/items/", { name: "n", notes: "x".repeat(100 * 1_024 - 24) }),
  "DELETE /items/{item_id}": ({ api, count }) => api.delete(`/items/${count}`),

  "GET /health": ({ api }) => api.get("/health"),
  "GET /health/ready": ({ api }) => api.get("/health/ready"),
  "GET /": ({ api }) => api.get("/"),
  "GET /docs": ({ api }) => api.get("/docs"),
  "GET /docs/assets/{file}": ({ api }) => api.get("/docs/assets/none"),
  "GET /openapi.json": ({ api }) => api.get("/openapi.json"),
  "GET /error": ({ api }) => api.get("/error"),
  "GET /errors/{status}": ({ api }) => api.get("/errors/404"),
};
