import { type JSONWebKeySet, SignJWT } from "jose";
import { createClient } from "resource-api";
import { expect, it } from "vitest";
import type { OpenApiDocument } from "../../infra/openapi/model.ts";
import { runProgram } from "../support/programs/program.ts";
import { startWithProvider } from "../support/programs/provider.ts";

it("a deployment with a provider knows its users, also while it is down, and no others", async () => {
  const { provider, url } = await startWithProvider();
  const tokens = Object.fromEntries(
    await Promise.all(["ada", "bob", "root"].map(async (name) => [name, await provider.tokenOf(name)])),
  ) as Readonly<Record<string, string>>;
  const as = (name: string) => createClient({ baseUrl: url, token: async () => tokens[name] });

  const { data: me } = await as("ada").GET("/users/me");
  expect(me).toEqual({ username: "ADA", email: "", role: "user" });
  const user = { name: "Mine", email: "a@b", age: 1 };
  const { data: created } = await as("ada").POST("/users", { body: user });
  const get = async (name: string) => {
    const params = { path: { id: created?.id ?? 0 } };
    return (await as(name).GET("/users/{id}", { params })).response.status;
  };
  expect(await Promise.all(["ada", "bob", "root"].map(get))).toEqual([200, 404, 200]);
  const list = async (name: string) => (await as(name).GET("/admin/users")).response.status;
  expect(await Promise.all(["ada", "root"].map(list))).toEqual([403, 200]);

  // Its own login and registration are closed.
  const send = async (method: string, path: string, body: object, headers = {}) => {
    const init = { method, headers: { "content-type": "application/json", ...headers } };
    return fetch(url + path, { ...init, body: JSON.stringify(body) });
  };
  const account = { username: "eve", email: "eve@example.com", password: "Password1" };
  expect((await send("POST", "/auth/login", account)).status).toBe(404);
  const { status, headers } = await send("POST", "/users/", account);
  const challenge = `Bearer realm="${provider.url}"`;
  expect([status, headers.get("www-authenticate")]).toEqual([401, challenge]);
  const change = { password: "Password1", new_password: "Password2" };
  const authorization = `Bearer ${tokens.ada}`;
  expect((await send("PUT", "/users/me/password", change, { authorization })).status).toBe(404);

  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  expect(document.components.securitySchemes.openIdConnect).toMatchObject({
    openIdConnectUrl: `${provider.url}/.well-known/openid-configuration`,
  });
  expect(document.paths["/auth/login"]).toBeUndefined();
  expect(document.paths["/users/me"]?.get?.security).toEqual([{ bearer: [] }, { openIdConnect: [] }]);
  expect(document.info.description).toContain(`A token of ${provider.url} for the audience`);
  expect(document.info.description).not.toContain("/auth/login");
  expect(await (await fetch(`${url}/llms.txt`)).text()).not.toContain("/auth/login");

  const environment = { ADMIN_PASSWORD: "Password1" };
  const { code, output } = await runProgram("ops/smoke.ts", [url], { environment });
  expect(output).toMatch(/POST \/auth\/login +this deployment does not have it\n/);
  expect(code).toBe(0);

  // What the provider publishes is no secret.
  const { keys } = (await (await fetch(`${provider.url}/jwks`)).json()) as JSONWebKeySet;
  const [, payload = ""] = tokens.root?.split(".") ?? [];
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const forged = await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", kid: "first" })
    .sign(Buffer.from(JSON.stringify(keys[0])));
  provider.close();
  expect(await get("ada")).toBe(200);
  const statusOf = async (token: string) =>
    (await fetch(`${url}/users/me`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await statusOf(tokens.root ?? "")).toBe(200);
  expect(await statusOf(forged)).toBe(401);
});
