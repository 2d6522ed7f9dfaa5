import type { ApiRequest } from "../../test/support/api/client.ts";
import type { FilledTable } from "./records.ts";

/** Every list, page, filter, sort, search and count; the table's size in place of `{last}` and others. */
export const growthRequests: readonly string[] = [
  "GET /todos",
  "GET /todos?limit=10",
  "GET /users",
  "GET /users?page=1&limit=10",
  "GET /users?page={lastPage}&limit=10",
  "GET /users?name=user&limit=10",
  "GET /users?name=rare&limit=10",
  "GET /users?name=nobody&limit=10",
  "GET /users?role=admin&limit=10",
  "GET /users?sort=name&limit=10",
  "GET /users?sort=age&order=desc&page=3&limit=10",
  "GET /users?sort=age",
  "GET /users/search?q=rare&limit=10",
  "GET /users/search?q=nobody",
  'POST /users/search {"filters":{"age":7},"sort":"-id"}',
  'POST /users/search {"filters":{"email":"user5@example.com"}}',
  'POST /users/search {"filters":{},"sort":"-age"}',
  "GET /api/v1/users?limit=10",
  "GET /api/v2/users",
  "GET /orders",
  "GET /orders?limit=10",
  "GET /orders?status=pending&limit=10",
  "GET /orders?status=pending",
  "GET /orders?user_id=7&limit=10",
  "GET /orders?user_id=7",
  "GET /orders?user_id=7&status=shipped&limit=10",
  "GET /products?limit=10",
  "GET /products?page={lastFifthPage}",
  "GET /products?category=category%207&limit=10",
  "GET /products?page=1&category=category%207",
  "GET /products?page=1&min_price=50&in_stock=true",
  "GET /posts",
  "GET /posts?page={lastFifthPage}",
  "GET /posts?status=archived",
  "GET /posts?status=archived&page=20",
  "GET /posts?search=rare",
  "GET /posts?search=nothing",
  "GET /posts?tag=even",
  "GET /posts?tag=tag%207",
  "GET /posts?tag=even&status=archived",
  "GET /posts?sort_by=view_count",
  "GET /posts?sort_by=updated_at&order=asc&page=5",
  "GET /posts?sort_by=view_count&tag=tag%207",
  "GET /posts?sort_by=view_count&status=archived&search=rare",
  "GET /posts/stats/summary",
  "GET /posts/search?q=rare&limit=10",
  "GET /posts/search?q=nothing&fields=title",
  "GET /posts/search?q=nothing",
  "GET /users/7/posts?limit=10",
  "GET /users/7/posts",
  "GET /items",
  "GET /admin/users",
];

/** Those that see every record of a table: they sort by something else than the id, count, or hardly find a match. */
export const fullReads: ReadonlyMap<string, FilledTable> = new Map([
  ["GET /users?name=nobody&limit=10", "users"],
  ["GET /users?sort=name&limit=10", "users"],
  ["GET /users?sort=age&order=desc&page=3&limit=10", "users"],
  ["GET /users/search?q=nobody", "users"],
  ['POST /users/search {"filters":{"email":"user5@example.com"}}', "users"],
  ['POST /users/search {"filters":{},"sort":"-age"}', "users"],
  ["GET /products?page=1&category=category%207", "products"],
  ["GET /products?page=1&min_price=50&in_stock=true", "products"],
  ["GET /posts?search=nothing", "posts"],
  ["GET /posts?sort_by=view_count", "posts"],
  ["GET /posts?sort_by=updated_at&order=asc&page=5", "posts"],
  ["GET /posts?sort_by=view_count&status=archived&search=rare", "posts"],
  ["GET /posts/stats/summary", "posts"],
  ["GET /posts/search?q=nothing&fields=title", "posts"],
]);

/** The request of a line above. */
export function requestOf(line: string, size: number, headers: Readonly<Record<string, string>>): ApiRequest {
  const [, method = "", target = "", body] = /^(\w+) (\S+)(?: (.*))?$/.exec(line) ?? [];
  const lastPage = String(Math.ceil(size / 10));
  const lastFifthPage = String(Math.ceil(size / 50));
  return {
    method,
    target: target.replace("{lastPage}", lastPage).replace("{lastFifthPage}", lastFifthPage),
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body }),
  };
}
