import { createClient } from "resource-api";
import { expect, inject, it } from "vitest";
import { fetchApi } from "../../support/api/target.ts";
import { adminToken, newAccount } from "../../support/data/accounts.ts";

const { apiKey } = inject("target");

it("can register, log in and use a token", async () => {
  let token: string | undefined;
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi, token: () => token });
  const { email, ...account } = newAccount();

  const registered = await api.POST("/users/", { body: { ...account, email } });
  token = (await api.POST("/auth/login", { body: account })).data?.access_token;

  expect(registered.response.status).toBe(201);
  expect((await api.GET("/users/me")).data).toMatchObject({ username: account.username, role: "user" });
});

it("creates once, however often it is asked", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi });
  const body = newAccount();
  const header = { "idempotency-key": `client ${body.username}` };
  const create = () => api.idempotent("/users/", { body, params: { header } });
  const [first, second] = [await create(), await create()];

  expect(first.data?.username).toBe(body.username);
  expect(second.data).toEqual(first.data);
});

it("iterates over the pages of a list", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi, token: adminToken });
  const accounts = [newAccount(), newAccount(), newAccount()];
  await api.POST("/users/batch", { body: accounts });
  const usernames = accounts.map(({ username }) => username).sort();
  const cursor = Buffer.from(`username ${usernames[0]?.slice(0, -1)}`).toString("base64url");
  const found: string[] = [];
  for await (const { username } of api.paginate("/admin/users", {
    params: { query: { cursor, limit: 2 } },
  })) {
    found.push(username);
    if (username === usernames[2]) break;
  }

  expect(found).toEqual(expect.arrayContaining(usernames));
});

it("can use a static key", async () => {
  const api = createClient({ baseUrl: "http://localhost", fetch: fetchApi, ...(apiKey && { apiKey }) });
  expect((await api.GET("/api/protected")).data).toBe("The key is valid.");
});
