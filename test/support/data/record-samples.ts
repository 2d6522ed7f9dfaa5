import type { ApiResponse } from "../api/conformance.ts";
import { api } from "../api/target.ts";
import { aProduct, asAdmin, withProduct } from "./products.ts";

/** A record of one kind, and how to read and change it. */
interface RecordSample {
  /** The response to its creation. */
  readonly created: ApiResponse;
  /** Its path. */
  readonly path: string;
  /** Requests that change it: method, path and query, body. Each one changes its representation. */
  readonly changes: readonly (readonly [method: string, target: string, json?: unknown])[];
  /** The headers that changes and deletion need. */
  readonly headers: Readonly<Record<string, string>>;
  readonly canBeDeleted: boolean;
}

const user = { name: "Ada", email: "ada@example.com", age: 36 };
const post = { title: "A title", content: "Some content" };

/** Creates a record of every kind that has its own path. */
export const recordSamples: Readonly<Record<string, () => Promise<RecordSample>>> = {
  todos: async () => {
    const created = await api.post("/todos", { title: "Buy milk" });
    const path = `/todos/${created.body.id}`;
    return sample(created, path, [
      ["PUT", path, { title: "a" }],
      ["PUT", path, { completed: true }],
    ]);
  },
  users: async () => {
    const created = await api.post("/users", user);
    const path = `/users/${created.body.id}`;
    return sample(created, path, [
      ["PUT", path, { ...user, age: 37 }],
      ["PATCH", path, { name: "Lady Ada" }],
    ]);
  },
  products: async () => {
    const { headers } = await asAdmin();
    const created = await api.post("/products", aProduct(), { headers });
    const path = `/products/${created.body.id}`;
    const changes = [
      ["PUT", path, aProduct({ price: 1 })],
      ["PATCH", path, { stock: 3 }],
    ] as const;
    return { ...sample(created, path, changes), headers };
  },
  orders: async () => {
    const { id } = await withProduct();
    const created = await api.post("/orders", [{ product_id: id, quantity: 1 }]);
    const path = `/orders/${created.body.id}`;
    const changes = [
      ["PATCH", `${path}/status?status=paid`],
      ["PATCH", `${path}/status?status=shipped`],
    ] as const;
    return { ...sample(created, path, changes), canBeDeleted: false };
  },
  posts: async () => {
    const created = await api.post("/posts", post);
    const path = `/posts/${created.body.id}`;
    return sample(created, path, [
      ["PUT", path, { ...post, content: "Other content" }],
      ["PATCH", path, { content: "Even other content" }],
      ["PATCH", path, { title: "Another title" }],
    ]);
  },
  "nested posts": async () => {
    const { id } = (await api.post("/users", user)).body;
    const created = await api.post(`/users/${id}/posts`, post);
    const postPath = `/posts/${created.body.id}`;
    return sample(created, `/users/${id}/posts/${created.body.id}`, [
      ["PATCH", postPath, { title: "Another title" }],
    ]);
  },
  items: async () => {
    const created = await api.post("/items/", { name: "lamp", item_id: "mine" });
    return sample(created, created.headers.get("location") ?? "", []);
  },
};

function sample(created: ApiResponse, path: string, changes: RecordSample["changes"]): RecordSample {
  return { created, path, changes, headers: {}, canBeDeleted: true };
}
