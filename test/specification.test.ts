import { describe, expect, it } from "vitest";
import { allRoutes, routesByArea } from "../functions/definitions.ts";

/** Every row of the specification's endpoint tables, by area, as it is written there. */
const specified: Readonly<Record<string, readonly string[]>> = {
  todos: ["GET /todos", "GET /todos/{id}", "POST /todos", "PUT /todos/{id}", "DELETE /todos/{id}"],
  users: [
    "POST /users",
    "GET /users",
    "GET /users/{id}",
    "PATCH /users/{id}",
    "PUT /users/{id}",
    "POST /users/search",
    "GET /users/search",
  ],
  accounts: ["POST /users/batch", "POST /users/", "GET /users/me", "GET /admin/users"],
  products: ["GET /products", "GET /products/{product_id}"],
  orders: ["POST /orders", "GET /orders/{order_id}", "GET /orders", "PATCH /orders/{order_id}/status"],
  posts: [
    "GET /users/{id}/posts",
    "GET /users/{id}/posts/{post_id}",
    "POST /users/{id}/posts",
    "DELETE /users/{id}/posts/{post_id}",
    "GET /posts",
    "GET /posts/{post_id}",
    "POST /posts",
    "PUT /posts/{post_id}",
    "PATCH /posts/{post_id}",
    "DELETE /posts/{post_id}",
    "GET /posts/stats/summary",
    "GET /posts/search",
  ],
  items: ["GET /items/{item_id}", "POST /items/", "DELETE /items/{item_id}", "GET /items"],
  login: ["POST /auth/login"],
  "api-key": ["GET /api/protected", "GET /api/v1/users", "GET /api/v2/users"],
  system: ["GET /error"],
};

/** The areas that this service still has. */
const kept = Object.entries(specified).filter(([area]) => area in routesByArea);
const declared = allRoutes.map(({ key }) => key);

describe("the specification", () => {
  it.each(kept.flatMap(([, rows]) => rows))("has its %s declared", (route) => {
    expect(declared).toContain(route);
  });
});
