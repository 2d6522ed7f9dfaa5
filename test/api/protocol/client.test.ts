import { createClient } from "resource-api/client";
import { expect, inject, it } from "vitest";
import { fetchApi } from "../../support/api/target.ts";

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

it("can use a static key", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi, ...(apiKey && { apiKey }) });

  expect((await api.GET("/api/protected", { parseAs: "text" })).data).toBe("The key is valid.");
  expect((await api.GET("/api/v2/users")).data?.version).toBe("2.0");
});
