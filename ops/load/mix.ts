import type { HttpRequest, HttpResponse } from "../http-client.ts";
import type { Random, RecordKind, RecordPaths } from "./records.ts";

/** A kind of request and its share of the mix. */
export interface MixEntry {
  /** The route's key, for the report. */
  readonly route: string;
  /** Its frequency, relative to the weights of the other entries. */
  readonly weight: number;
  /** The expected status. */
  readonly status: number;
  /** Creates a request; undefined while there is no record for it. */
  request(): HttpRequest | undefined;
  /** Called with each response that has the expected status. */
  onResponse?(response: HttpResponse): void;
}

const text = "The quick brown fox jumps over the lazy dog. ".repeat(20);
const json = { "content-type": "application/json" };

/**
 * Creates a mix of requests that is plausible for real clients: three quarters are reads, mostly of single records and
 * first pages; the rest are writes, including orders. Unpaginated lists are omitted, because their cost depends on the
 * number of existing records.
 *
 * @param records the records to send requests about; created ones are added
 * @param name part of all created records
 * @param canOrder whether orders may be placed
 */
export function createMix(records: RecordPaths, random: Random, name: string, canOrder: boolean): MixEntry[] {
  let createdTodos = 0;
  const anyOf = (kind: RecordKind) => () => records.pick(kind);
  const addTo = (kind: RecordKind) => ({
    onResponse: ({ headers }: HttpResponse) => records.add(kind, headers.location),
  });
  const addTodo = {
    onResponse: ({ headers }: HttpResponse) => {
      createdTodos += 1;
      records.add(createdTodos % 3 === 0 ? "todosToDelete" : "todos", headers.location);
    },
  };
  const statusChange = () => {
    const order = records.pick("orders");
    return order && `${order}/status?status=${random() < 0.5 ? "paid" : "shipped"}`;
  };
  const cart = () => [{ product_id: Number(records.pick("products")?.split("/").at(-1)), quantity: 1 }];
  const newPost = () => ({ title: name, content: text, tags: ["load"] });
  const orders = [
    entry("POST /orders", 5, 201, () => "/orders?user_id=-2", cart, addTo("orders")),
    entry("GET /orders/{order_id}", 3, 200, anyOf("orders")),
    entry("PATCH /orders/{order_id}/status", 2, 200, statusChange),
  ];
  return [
    entry("GET /todos/{id}", 14, 200, anyOf("todos")),
    entry("GET /users/{id}", 6, 200, anyOf("users")),
    entry("GET /users", 4, 200, () => "/users?page=1&limit=10"),
    entry("GET /products/{product_id}", 12, 200, anyOf("products")),
    entry("GET /products", 10, 200, () => "/products?page=1&size=10"),
    entry("GET /posts/{post_id}", 10, 200, anyOf("posts")),
    entry("GET /posts", 8, 200, () => "/posts?page=1&limit=10"),
    entry("GET /items/{item_id}", 5, 200, anyOf("items")),
    entry("GET /items", 2, 200, () => "/items?page=1&size=10"),
    entry(
      "POST /todos",
      6,
      201,
      () => "/todos",
      () => ({ title: name }),
      addTodo,
    ),
    entry("PUT /todos/{id}", 5, 200, anyOf("todos"), () => ({ completed: random() < 0.5 })),
    entry("DELETE /todos/{id}", 2, 204, () => records.take("todosToDelete")),
    entry("POST /posts", 2, 201, () => "/posts", newPost, addTo("posts")),
    entry("PATCH /posts/{post_id}", 2, 200, anyOf("posts"), () => ({ status: "published" })),
    entry(
      "POST /items/",
      2,
      201,
      () => "/items/",
      () => ({ name, text }),
      addTo("items"),
    ),
    ...(canOrder ? orders : []),
  ];
}

function entry(
  route: string,
  weight: number,
  status: number,
  target: () => string | undefined,
  body?: () => unknown,
  hooks: Pick<MixEntry, "onResponse"> = {},
): MixEntry {
  const [method = ""] = route.split(" ");
  return {
    route,
    weight,
    status,
    request() {
      const path = target();
      if (path === undefined) return undefined;
      return { method, target: path, ...(body && { headers: json, body: JSON.stringify(body()) }) };
    },
    ...hooks,
  };
}

/** Creates a function that picks entries at random by their weights. Entries without a record are skipped. */
export function createRequestPicker(mix: readonly MixEntry[], random: Random) {
  const total = mix.reduce((sum, { weight }) => sum + weight, 0);
  return (): { entry: MixEntry; request: HttpRequest } => {
    for (;;) {
      let rest = random() * total;
      const picked = mix.find(({ weight }) => {
        rest -= weight;
        return rest < 0;
      });
      const request = picked?.request();
      if (picked && request) return { entry: picked, request };
    }
  };
}
