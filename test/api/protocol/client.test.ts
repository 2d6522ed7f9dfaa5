import { createClient } from "resource-api";
import { expect, inject, it } from "vitest";
import { fetchApi } from "../../support/api/target.ts";
import { withProduct } from "../../support/data/products.ts";

const { apiKey } = inject("target");

it("can register, log in and order", async () => {
  let token: string | undefined;
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi, token: () => token });
  const account = { username: `client_${Date.now()}`, password: "Analytical1" };

  const registered = await api.POST("/users/", {
    body: { ...account, email: `${account.username}@example.com` },
  });
  token = (await api.POST("/auth/login", { body: account })).data?.access_token;
  const me = await api.GET("/users/me");
  const products = await api.GET("/products", { params: { query: { page: 1, size: 1 } } });
  const [product] = products.data && "items" in products.data ? products.data.items : [];
  const order = await api.POST("/orders", { body: [{ product_id: product?.id ?? 0, quantity: 1 }] });

  expect(registered.response.status).toBe(201);
  expect(me.data).toMatchObject({ username: account.username, role: "user" });
  expect(order.data?.total).toBe(product?.price);
});

it("orders once, however often it is asked", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi });
  const { id } = await withProduct({ stock: 3 });
  const key = { "idempotency-key": `client ${Date.now()}` };
  const order = () =>
    api.idempotent("/orders", { body: [{ product_id: id, quantity: 2 }], params: { header: key } });
  const [first, second] = [await order(), await order()];

  expect(second.data).toEqual(first.data);
  expect(
    (await api.GET("/products/{product_id}", { params: { path: { product_id: id } } })).data?.stock,
  ).toBe(1);
});

it("iterates over the pages of a filtered list", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi });
  const category = `client ${Date.now()}`;
  const ids: number[] = [];
  for (let i = 0; i < 3; i += 1) ids.push((await withProduct({ category })).id);
  const products = api.paginate("/products", { params: { query: { category, size: 2 } } });
  const found: number[] = [];
  for await (const product of products) found.push(product.id);

  expect(found).toEqual(ids);
});

it("can use a static key", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi, ...(apiKey && { apiKey }) });

  expect((await api.GET("/api/protected")).data).toBe("The key is valid.");
  expect((await api.GET("/api/v2/users")).data?.version).toBe("2.0");
  expect((await api.GET("/users", { params: { header: { "api-version": "2.0" } } })).data?.version).toBe(
    "2.0",
  );
});
