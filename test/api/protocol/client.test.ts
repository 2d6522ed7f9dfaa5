import { createClient } from "resource-api";
import { expect, inject, it } from "vitest";
import { fetchApi } from "../../support/api/target.ts";

const user = { name: "Ada", email: "ada@example.com", age: 36 };
const { apiKey } = inject("target");

it("iterates over the pages of a filtered list", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi });
  const name = `client ${Date.now()}`;
  const ids: (number | undefined)[] = [];
  for (let i = 0; i < 3; i += 1) ids.push((await api.POST("/users", { body: { ...user, name } })).data?.id);
  const found: number[] = [];
  for await (const { id } of api.paginate("/users", { params: { query: { name, limit: 2 } } }))
    found.push(id);

  expect(found).toEqual(ids);
});

it("can use a static key", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi, ...(apiKey && { apiKey }) });
  expect((await api.GET("/api/protected")).data).toBe("The key is valid.");
  expect((await api.GET("/users", { params: { header: { "api-version": "2.0" } } })).data?.version).toBe(
    "2.0",
  );
});
