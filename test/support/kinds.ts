import type { ApiResponse } from "./conformance.ts";
import { aProduct, asAdmin, withProduct } from "./products.ts";
import { api } from "./target.ts";

/** A record of some kind, and how to read and write it. */
export interface Sample {
  /** The answer with which it was created. */
  readonly created: ApiResponse;
  /** Where it is read. */
  readonly path: string;
  /** What changes it: method, path and query, body. Every one of them changes what is read. */
  readonly changes: readonly (readonly [method: string, target: string, json?: unknown])[];
  /** What the changes and the deletion have to carry. */
  readonly headers: Readonly<Record<string, string>>;
  readonly canBeDeleted: boolean;
}

const user = { name: "Ada", email: "ada@example.com", age: 36 };
const post = { title: "A title", content: "Some content" };

/** Every kind of record that has an address, as a function that creates one. */
export const kinds: Readonly<Record<string, () => Promise<Sample>>> = {
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
    const elsewhere = `/posts/${created.body.id}`;
    return sample(created, `/users/${id}/posts/${created.body.id}`, [
      ["PATCH", elsewhere, { title: "Another title" }],
    ]);
  },
  items: async () => {
    const created = await api.post("/items/", { name: "lamp", item_id: "mine" });
    return sample(created, created.headers.get("location") ?? "", []);
  },
};

function sample(created: ApiResponse, path: string, changes: Sample["changes"]): Sample {
  return { created, path, changes, headers: {}, canBeDeleted: true };
}
