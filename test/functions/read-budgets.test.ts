import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { routes as ordersRoutes } from "../../functions/orders/routes.ts";
import { routes as postsRoutes } from "../../functions/posts/routes.ts";
import { routes as productsRoutes } from "../../functions/products/routes.ts";
import { routes as todosRoutes } from "../../functions/todos/routes.ts";
import { usersRoutes } from "../../functions/users/routes.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { OrdersRepository } from "../../lib/repositories/orders/orders.ts";
import { PostQueries } from "../../lib/repositories/posts/post-queries.ts";
import { ProductsRepository } from "../../lib/repositories/products.ts";
import { TodosRepository } from "../../lib/repositories/todos.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { invoke } from "../support/api/invoke.ts";
import { connection } from "../support/database/database.ts";

/** A table whose allocated ids can be read, and whose records take longer than any request has time. */
function slowDatabase(): DynamoDBDocumentClient {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(connection("http://127.0.0.1:1")));
  const send = client.send.bind(client);
  client.send = ((
    command: { input: { ExpressionAttributeValues?: object } },
    options?: { abortSignal?: AbortSignal },
  ) => {
    if (JSON.stringify(command.input).includes('"ids"')) return Promise.resolve({ Items: [] });
    return new Promise((_, reject) => {
      options?.abortSignal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  }) as typeof send;
  return client;
}

describe("a request whose time is over", () => {
  const client = slowDatabase();
  const now = () => new Date();
  const dependencies = () =>
    ({
      todos: new TodosRepository(client, "todos"),
      users: new UsersRepository(client, "users"),
      products: new ProductsRepository(client, "products"),
      orders: new OrdersRepository(client, "orders", now),
      postQueries: new PostQueries(client, "posts"),
      roles: { emailsWithRole: async () => new Set<string>() },
      usersList: "records",
    }) as never;
  const handler = createHandler(
    [...todosRoutes, ...usersRoutes("api-version"), ...productsRoutes, ...ordersRoutes, ...postsRoutes],
    dependencies,
  );

  it.each([
    ["/todos", "error", "Ask for less"],
    ["/users?name=x", "error", "Ask for less"],
    ["/users?sort=age&limit=1", "error", "without `sort`"],
    ["/products?page=1&category=x", "detail", "`cursor`"],
    ["/orders?status=paid", "detail", "Ask for less"],
    ["/posts?tag=x", "detail", "Ask for less"],
    ["/posts?sort_by=view_count", "detail", "Sort by created_at"],
    ["/posts/stats/summary", "detail", "too many posts"],
  ])("for %s is a 503 that says what to ask for instead", async (target, member, advice) => {
    const request = { method: "GET", target, headers: {} };
    const { status, headers, text } = await invoke(handler, request, "$default", 1_001);

    expect([status, headers.get("retry-after")]).toEqual([503, null]);
    expect(JSON.parse(text)[member]).toContain("more records than one request may");
    expect(JSON.parse(text)[member]).toContain(advice);
  });
});
