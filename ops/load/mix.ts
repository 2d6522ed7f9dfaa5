import type { HttpRequest } from "../http-client.ts";
import type { RecordPaths } from "./records.ts";

/** What a request of the mix is made of. */
interface LoadContext {
  /** Part of all created records. */
  readonly name: string;
  /** The records that the load has created. */
  readonly records: RecordPaths;
}

/** A kind of request and its share of the mix. */
export interface MixEntry {
  /** The route's key, for the report. */
  readonly route: string;
  /** Its frequency, relative to the weights of the other entries. */
  readonly weight: number;
  /** The expected status. A record that is created with 201 can be used by later requests. */
  readonly status: number;
  /** Whether it needs products of the load's own, which only an administrator can create. */
  readonly needsAdmin?: boolean;
  /** Creates a request; undefined while there is no record for it. */
  request(context: LoadContext): HttpRequest | undefined;
}

/** A record that exists before the first request of the mix. */
interface FirstRecord {
  readonly target: string;
  readonly count: number;
  readonly needsAdmin?: boolean;
  body(name: string): unknown;
}

const text = "The quick brown fox jumps over the lazy dog. ".repeat(20);

export const firstRecords: readonly FirstRecord[] = [
  { target: "/users", count: 1, body: (name) => ({ name, email: `${name}@example.com`, age: 1 }) },
  { target: "/todos", count: 1, body: (name) => ({ title: name }) },
  { target: "/posts", count: 1, body: (title) => ({ title, content: "Created by npm run load" }) },
  { target: "/items/", count: 1, body: (name) => ({ name }) },
  {
    target: "/products",
    count: 5,
    needsAdmin: true,
    body: (name) => ({
      name,
      description: "Created by npm run load",
      price: 1,
      stock: 1_000_000,
      category: "load",
    }),
  },
];

/**
 * A mix of requests that is plausible for real clients: three quarters are reads, mostly of single records and first
 * pages; the rest are writes, including orders. Unpaginated lists are omitted, because their cost depends on the number
 * of existing records.
 */
export const mix: readonly MixEntry[] = [
  entry("GET /todos/{id}", 14, 200, anyOf("/todos")),
  entry("GET /users/{id}", 6, 200, anyOf("/users")),
  entry("GET /users", 4, 200, () => "/users?page=1&limit=10"),
  entry("GET /products/{product_id}", 12, 200, anyOf("/products")),
  entry("GET /products", 10, 200, () => "/products?page=1&size=10"),
  entry("GET /posts/{post_id}", 10, 200, anyOf("/posts")),
  entry("GET /posts", 8, 200, () => "/posts?page=1&limit=10"),
  entry("GET /items/{item_id}", 5, 200, anyOf("/items")),
  entry("GET /items", 2, 200, () => "/items?page=1&size=10"),
  entry("POST /todos", 6, 201, at("/todos"), ({ name }) => ({ title: name })),
  entry("PUT /todos/{id}", 5, 200, anyOf("/todos"), () => ({ completed: Math.random() < 0.5 })),
  entry("DELETE /todos/{id}", 2, 204, ({ records }) => records.take("/todos")),
  entry("POST /posts", 2, 201, at("/posts"), ({ name }) => ({ title: name, content: text, tags: ["load"] })),
  entry("PATCH /posts/{post_id}", 2, 200, anyOf("/posts"), () => ({ status: "published" })),
  entry("POST /items/", 2, 201, at("/items/"), ({ name }) => ({ name, text })),
  {
    ...entry("POST /orders", 5, 201, at("/orders?user_id=-2"), ({ records }) => {
      const id = Number(records.pick("/products")?.split("/").at(-1));
      return [{ product_id: id, quantity: 1 }];
    }),
    needsAdmin: true,
  },
  { ...entry("GET /orders/{order_id}", 3, 200, anyOf("/orders")), needsAdmin: true },
  {
    ...entry("PATCH /orders/{order_id}/status", 2, 200, ({ records }) => {
      const order = records.pick("/orders");
      return order && `${order}/status?status=${Math.random() < 0.5 ? "paid" : "shipped"}`;
    }),
    needsAdmin: true,
  },
];

type Target = (context: LoadContext) => string | undefined;

function at(target: string): Target {
  return () => target;
}

function anyOf(collection: string): Target {
  return ({ records }) => records.pick(collection);
}

function entry(
  route: string,
  weight: number,
  status: number,
  target: Target,
  body?: (context: LoadContext) => unknown,
): MixEntry {
  const [method = ""] = route.split(" ");
  return {
    route,
    weight,
    status,
    request(context) {
      const path = target(context);
      if (path === undefined) return undefined;
      if (body === undefined) return { method, target: path };
      const headers = { "content-type": "application/json" };
      return { method, target: path, headers, body: JSON.stringify(body(context)) };
    },
  };
}

/** Creates a function that picks entries at random by their weights. Entries without a record are skipped. */
export function createRequestPicker(entries: readonly MixEntry[], context: LoadContext) {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  return (): { entry: MixEntry; request: HttpRequest } => {
    for (;;) {
      let rest = Math.random() * total;
      const picked = entries.find(({ weight }) => {
        rest -= weight;
        return rest < 0;
      });
      const request = picked?.request(context);
      if (picked && request) return { entry: picked, request };
    }
  };
}
