import { createClient } from "resource-api";
import { expect, inject, it } from "vitest";
import { fetchApi } from "../../support/api/target.ts";
import { adminToken, newAccount } from "../../support/data/accounts.ts";

const { apiKey } = inject("target");

it("iterates over the pages of a list", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi, token: adminToken });
  const accounts = [newAccount(), newAccount(), newAccount()];
  await api.POST("/users/batch", { body: accounts });
  const usernames = accounts.map(({ username }) => username).sort();
  const cursor = Buffer.from(`username ${usernames[0]?.slice(0, -1)}`).toString("base64url");
  const found: string[] = [];
  const init = { params: { query: { cursor, limit: 2 } } };
  for await (const { username } of api.paginate("/admin/users", init)) {
    found.push(username);
    if (username === usernames[2]) break;
  }

  expect(found).toEqual(expect.arrayContaining(usernames));
});

it("can use a static key", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi, ...(apiKey && { apiKey }) });
  expect((await api.GET("/api/protected")).data).toBe("The key is valid.");
});
