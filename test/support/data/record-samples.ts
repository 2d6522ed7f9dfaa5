import { routesByArea } from "../../../functions/definitions.ts";
import { referencesOf } from "../../../functions/example-requests.ts";
import type { Method, Route } from "../../../lib/http/route.ts";
import type { ApiResponse } from "../api/conformance.ts";
import { credentialsFor, idOf, prepareExample, sendExample } from "../api/examples.ts";
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
}

const user = { name: "Ada", email: "ada@example.com", age: 36 };
const post = { title: "A title", content: "Some content" };

const written: Readonly<Record<string, () => Promise<RecordSample>>> = {
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
    return sample(created, path, changes);
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
};

/** The routes that get a record of another area, by its area. */
const otherAreas = Object.entries(routesByArea).flatMap(([area, routes]): [string, Route][] => {
  const get = routes.find(
    ({ method, etag, key }) => method === "GET" && etag && referencesOf(key).length > 0,
  );
  return get && !(area in written) ? [[area, get]] : [];
});

/** Creates a record of every kind that has its own path: in other areas by the example requests of their routes. */
export const recordSamples: Readonly<Record<string, () => Promise<RecordSample>>> = {
  ...Object.fromEntries(Object.entries(written).filter(([kind]) => areaOf(kind) in routesByArea)),
  ...Object.fromEntries(otherAreas.map(([area, get]) => [area, () => exampleSample(area, get)])),
};

/** Whether records of this kind can be changed, or deleted, with a precondition. */
export function hasMethod(kind: string, methods: readonly Method[]): boolean {
  const routes = routesByArea[areaOf(kind)] ?? [];
  return routes.some(({ method, etag }) => etag !== undefined && methods.includes(method));
}

function areaOf(kind: string): string {
  return kind === "nested posts" ? "posts" : kind;
}

async function exampleSample(area: string, get: Route): Promise<RecordSample> {
  const creation = referencesOf(get.key).at(-1) ?? "";
  const ids = new Map<string, number>();
  const created = await sendExample(creation, ids);
  ids.set(creation, idOf(created));
  const path = (await prepareExample(get.key, ids)).target;
  const changing = (routesByArea[area] ?? []).filter(
    ({ method, etag, key }) =>
      etag && (method === "PUT" || method === "PATCH") && referencesOf(key).includes(creation),
  );
  const changes = await Promise.all(changing.map(({ key }) => prepareExample(key, ids)));
  return {
    ...sample(
      created,
      path,
      changes.map(({ method, target, body }) => [method, target, body]),
    ),
    headers: await credentialsFor(await prepareExample(creation, ids)),
  };
}

function sample(created: ApiResponse, path: string, changes: RecordSample["changes"]): RecordSample {
  return { created, path, changes, headers: {} };
}
