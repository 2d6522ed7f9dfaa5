import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { allRoutes } from "../../functions/definitions.ts";
import { createNotFoundHandler } from "../../functions/fallback/not-found.ts";
import { routes as ordersRoutes } from "../../functions/orders/routes.ts";
import { routes as postsRoutes } from "../../functions/posts/routes.ts";
import { routes as todosRoutes } from "../../functions/todos/routes.ts";
import { createHandler, type HttpHandler } from "../../lib/http/handler.ts";
import { buildEvent } from "../../local/api-gateway/event.ts";

/** A request, and a handler that responds to it without a database. */
export interface BenchmarkCase {
  readonly name: string;
  readonly handler: HttpHandler;
  readonly event: APIGatewayProxyEventV2;
  readonly statusCode: number;
}

const todo = { id: 1, title: "Buy milk", completed: false };
const post = { title: "Hello", content: "First words. ".repeat(80), tags: ["news"], status: "published" };
const time = "2026-01-01T00:00:00.000Z";
const stored = { id: 1, author_id: 1, ...post, created_at: time, updated_at: time, view_count: 0 };
const cart = Array.from({ length: 20 }, (_, i) => ({ product_id: i + 1, quantity: 1 }));
const order = {
  id: 1,
  user_id: 1,
  items: cart,
  total: 1,
  status: "pending",
  created_at: time,
  updated_at: time,
};

/** Repositories that return immediately. */
const dependencies = {
  todos: { get: async () => todo, create: async () => ({ record: todo, replayed: false }) },
  posts: { create: async () => ({ record: stored, replayed: false }) },
  postQueries: {
    page: async () => ({ records: Array.from({ length: 10 }, () => stored), total: 10 }),
  },
  placement: { place: async () => ({ record: order, replayed: false }) },
};
const todos = createHandler(todosRoutes, () => dependencies as never);
const posts = createHandler(postsRoutes, () => dependencies as never);
const orders = createHandler(ordersRoutes, () => dependencies as never);
const fallback = createHandler([], () => ({}), createNotFoundHandler(allRoutes));

/** The baseline: a handler that only returns a response. */
const bare: HttpHandler = async () => ({
  statusCode: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(todo),
});

/** The first case is the baseline. */
export const benchmarkCases: readonly BenchmarkCase[] = [
  { name: "a bare handler", handler: bare, event: eventOf("GET /todos/1"), statusCode: 200 },
  { name: "GET /todos/{id}", handler: todos, event: eventOf("GET /todos/1"), statusCode: 200 },
  {
    name: "POST /todos",
    handler: todos,
    event: eventOf("POST /todos", { title: "Buy milk" }),
    statusCode: 201,
  },
  {
    name: "GET /posts, 4 parameters, 10 posts of 1 KB",
    handler: posts,
    event: eventOf("GET /posts?status=published&sort_by=view_count&page=2&limit=10"),
    statusCode: 200,
  },
  { name: "POST /posts, 1 KB", handler: posts, event: eventOf("POST /posts", post), statusCode: 201 },
  { name: "POST /orders, 20 lines", handler: orders, event: eventOf("POST /orders", cart), statusCode: 201 },
  {
    name: "POST /posts, two errors: 422",
    handler: posts,
    event: eventOf("POST /posts", { title: "", content: 1 }),
    statusCode: 422,
  },
  { name: "an unknown path: 404", handler: fallback, event: eventOf("GET /no/such/path"), statusCode: 404 },
];

function eventOf(request: string, body?: unknown): APIGatewayProxyEventV2 {
  const [method = "", target = ""] = request.split(" ");
  const [path = "", query = ""] = target.split("?");
  const headers = { host: "api.example.com", accept: "*/*", "content-type": "application/json" };
  return buildEvent(
    {
      method,
      path,
      query,
      rawHeaders: Object.entries(headers).flat(),
      body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
      protocol: "HTTP/1.1",
      sourceIp: "127.0.0.1",
      port: 443,
      receivedAt: new Date(0),
      requestId: "0123456789abcdef",
    },
    { accountId: "000000000000", apiId: "bench", stage: "$default", routeKey: "$default" },
  );
}
