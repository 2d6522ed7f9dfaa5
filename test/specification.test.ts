import { describe, expect, it } from "vitest";
import { allRoutes } from "../functions/definitions.ts";

/** Every row of the specification's endpoint tables, as it is written there. */
const specified = `
GET /todos
GET /todos/{id}
POST /todos
PUT /todos/{id}
DELETE /todos/{id}
POST /users
GET /users
GET /users/{id}
PATCH /users/{id}
PUT /users/{id}
POST /users/search
POST /users/batch
GET /users/{id}/posts
GET /users/{id}/posts/{post_id}
POST /users/{id}/posts
DELETE /users/{id}/posts/{post_id}
GET /users/search
POST /users/
GET /products
GET /products/{product_id}
POST /orders
GET /orders/{order_id}
GET /orders
PATCH /orders/{order_id}/status
GET /posts
GET /posts/{post_id}
POST /posts
PUT /posts/{post_id}
PATCH /posts/{post_id}
DELETE /posts/{post_id}
GET /posts/stats/summary
GET /posts/search
GET /items/{item_id}
POST /items/
DELETE /items/{item_id}
GET /items
POST /auth/login
GET /users/me
GET /admin/users
GET /api/protected
GET /api/v1/users
GET /api/v2/users
GET /error
`
  .trim()
  .split("\n");

const declared = allRoutes.map(({ method, pattern }) => `${method} ${pattern}`);

describe("the specification", () => {
  it.each(specified)("has its %s declared", (route) => {
    expect(declared).toContain(route);
  });
});
