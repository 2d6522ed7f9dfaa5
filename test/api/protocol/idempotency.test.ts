import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { allRoutes } from "../../../functions/definitions.ts";
import { isCreation } from "../../../lib/http/idempotency.ts";
import { api } from "../../support/api/target.ts";
import { newAccount } from "../../support/data/accounts.ts";
import { aProduct, asAdmin, withProduct } from "../../support/data/products.ts";

interface CreatingRequest {
  readonly path: string;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const user = { name: "Ada", email: "ada@example.com", age: 36 };
const post = { title: "A title", content: "Some content" };

/** A new request to every route that creates something. */
const creations: Readonly<Record<string, () => Promise<CreatingRequest>>> = {
  "POST /todos": async () => ({ path: "/todos", json: { title: "Buy milk" } }),
  "POST /users": async () => ({ path: "/users", json: user }),
  "POST /users/": async () => ({ path: "/users/", json: newAccount() }),
  "POST /users/batch": async () => ({ path: "/users/batch", json: [newAccount(), newAccount()] }),
  "POST /products": async () => ({ path: "/products", json: aProduct(), ...(await asAdmin()) }),
  "POST /orders": async () => {
    const { id } = await withProduct({ stock: 1, price: 0.1 });
    return { path: "/orders?user_id=7", json: [{ product_id: id, quantity: 1 }] };
  },
  "POST /posts": async () => ({ path: "/posts?author_id=7", json: post }),
  "POST /users/{id}/posts": async () => {
    const { id } = (await api.post("/users", user)).body;
    return { path: `/users/${id}/posts`, json: post };
  },
  "POST /items/": async () => ({ path: "/items/", json: { name: "lamp", of: [1, null] } }),
};

const withKey = (key: string, headers: CreatingRequest["headers"]) => ({
  headers: { ...headers, "idempotency-key": key },
});

it("covers every route that creates", () => {
  const declared = allRoutes.filter(isCreation).map(({ method, pattern }) => `${method} ${pattern}`);

  expect(Object.keys(creations).sort()).toEqual(declared.sort());
});

describe.each(Object.entries(creations))("%s with an Idempotency-Key", (route, newRequest) => {
  it("creates once and returns the same response again", async () => {
    const { path, json, headers } = await newRequest();
    const options = withKey(randomUUID(), headers);
    const first = await api.post(path, json, options);
    const again = await api.post(path, json, options);

    expect(first.status).toBe(201);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    for (const name of ["location", "etag", "content-type"])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
  });

  it("creates once if the request is sent concurrently", async () => {
    const { path, json, headers } = await newRequest();
    const options = withKey(randomUUID(), headers);
    const responses = await Promise.all(Array.from({ length: 4 }, () => api.post(path, json, options)));
    const created = responses.filter(({ status }) => status === 201);

    expect(new Set(created.map(({ text, headers }) => `${text} ${headers.get("location")}`)).size).toBe(1);
    for (const { status, body } of responses.filter((response) => !created.includes(response))) {
      expect(status).toBe(409);
      expect(body).toMatchObject({ error: "Conflict", field: "idempotency-key" });
    }
    expect((await api.post(path, json, options)).headers.get("idempotency-replayed")).toBe("true");
  });

  it("rejects another request with the key", async () => {
    const { path, json, headers } = await newRequest();
    const options = withKey(randomUUID(), headers);
    await api.post(path, json, options);
    const other = await api.post(`${path}${path.includes("?") ? "&" : "?"}other=1`, json, options);

    if (route === "POST /users") {
      expect(other).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining("idempotency-key") },
      });
    } else {
      expect(other).toMatchObject({
        status: 422,
        body: { details: [{ field: "headers.idempotency-key", type: "key_reused" }] },
      });
    }
  });

  it.each(["", "x".repeat(256)])("rejects the key %j", async (key) => {
    const { path, json, headers } = await newRequest();
    const { status, body } = await api.post(path, json, withKey(key, headers));

    if (route === "POST /users") {
      expect(status).toBe(400);
      expect(body).toEqual({ error: expect.stringContaining("idempotency-key") });
    } else {
      expect(status).toBe(422);
      expect(body.details).toEqual([
        { field: "headers.idempotency-key", message: expect.any(String), type: "invalid_format" },
      ]);
    }
  });

  it("does not store a failed request", async () => {
    const { path, json, headers } = await newRequest();
    const options = withKey(randomUUID(), headers);
    const failed = await api.post(path, "invalid", options);
    const succeeded = await api.post(path, json, options);

    expect([400, 422]).toContain(failed.status);
    expect(succeeded.status).toBe(201);
    expect(succeeded.headers.get("idempotency-replayed")).toBeNull();
  });
});

describe("an Idempotency-Key", () => {
  it("belongs to one body, query, path and caller", async () => {
    const key = randomUUID();
    const options = withKey(key, {});
    await api.post("/posts", post, options);
    const author = (await api.post("/users", user)).body.id;

    for (const [path, json] of [
      ["/posts", { ...post, title: "Other" }],
      ["/posts?author_id=1", post],
      [`/users/${author}/posts`, post],
    ] as const) {
      expect(await api.post(path, json, options)).toMatchObject({
        status: 422,
        body: { details: [{ field: "headers.idempotency-key", type: "key_reused" }] },
      });
    }
    expect(await api.post("/posts", post, options)).toMatchObject({ status: 201 });
  });

  it("is separate for each area", async () => {
    const options = withKey(randomUUID(), {});
    await api.post("/todos", { title: "x" }, options);

    const { headers, status } = await api.post("/posts", post, options);
    expect(status).toBe(201);
    expect(headers.get("idempotency-replayed")).toBeNull();
  });

  it("returns the first response even if the record was changed or deleted", async () => {
    const options = withKey(randomUUID(), {});
    const first = await api.post("/todos", { title: "first" }, options);
    await api.put(`/todos/${first.body.id}`, { title: "second" });
    expect((await api.post("/todos", { title: "first" }, options)).body).toEqual(first.body);

    await api.delete(`/todos/${first.body.id}`);
    expect((await api.post("/todos", { title: "first" }, options)).body).toEqual(first.body);
    expect(await api.get(`/todos/${first.body.id}`)).toMatchObject({ status: 404 });
  });

  it("deducts an order's stock once, even if nothing is left", async () => {
    const { id } = await withProduct({ stock: 1 });
    const options = withKey(randomUUID(), {});
    const cart = [{ product_id: id, quantity: 1 }];
    const first = await api.post("/orders", cart, options);
    await api.patch(`/orders/${first.body.id}/status?status=paid`);

    expect(await api.post("/orders", cart, options)).toMatchObject({ status: 201, text: first.text });
    expect((await api.get(`/products/${id}`)).body.stock).toBe(0);
    expect(await api.post("/orders", cart)).toMatchObject({ status: 400 });
  });

  it("can be sent with an account that has a deeply nested unknown field", async () => {
    const unknown = "[".repeat(100_000) + "]".repeat(100_000);
    const body = JSON.stringify(newAccount()).replace(/}$/, `,"unknown":${unknown}}`);
    const { headers } = withKey(randomUUID(), { "content-type": "application/json" });
    expect((await api.send("POST", "/users/", body, { headers })).status).toBe(201);
    expect((await api.send("POST", "/users/", body, { headers })).status).toBe(201);
  });

  it("is ignored by routes that create nothing", async () => {
    const options = withKey("x".repeat(300), {});
    expect(await api.get("/todos", options)).toMatchObject({ status: 200 });
  });
});
