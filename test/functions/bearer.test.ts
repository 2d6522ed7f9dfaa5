import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { routes as accountRoutes } from "../../functions/accounts/routes.ts";
import { routes as loginRoutes } from "../../functions/login/routes.ts";
import { Passwords } from "../../lib/auth/passwords.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../lib/repositories/accounts/login-throttle.ts";
import { invoke } from "../support/api/invoke.ts";
import { engines, recordTable, testClient } from "../support/database/database.ts";

const SECRET = "the signing secret of this test";
const MINUTE = 60_000;
const alice = { username: "alice", email: "alice@example.com", password: "Passw0rd" };

describe.each(engines)("bearer tokens on $name", ({ endpoint }) => {
  /** The functions of accounts and logins with their clock, and the token of a user who has just logged in. */
  async function withAlice() {
    const clock = { now: Date.parse("2030-01-01T12:00:00.000Z") };
    const now = () => new Date(clock.now);
    const client = testClient(endpoint);
    const table = await recordTable(endpoint, "S");
    const accounts = new AccountsRepository(client, table);
    const accountQueries = new AccountQueries(client, table);
    const loginThrottle = new LoginThrottle(client, table, now);
    const tokens = new Tokens({ secrets: async () => [SECRET], now });
    const passwords = new Passwords({ cost: { memory: 8, passes: 1, parallelism: 1 } });
    const handler = createHandler([...accountRoutes, ...loginRoutes], () => ({
      accounts,
      accountQueries,
      loginThrottle,
      tokens,
      passwords,
    }));
    const post = async (target: string, json: unknown) =>
      invoke(handler, { method: "POST", target, headers: {}, body: JSON.stringify(json) }, "");
    await post("/users/", alice);
    const { text } = await post("/auth/login", alice);

    const get = async (target: string, token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await invoke(handler, { method: "GET", target, headers }, "");
      return {
        status: response.status,
        body: JSON.parse(response.text),
        challenge: response.headers.get("www-authenticate"),
      };
    };
    const signed = (claims: Record<string, unknown>) =>
      new SignJWT({ exp: clock.now / 1_000 + 60, ...claims })
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode(SECRET));
    return { get, signed, clock, accounts, token: JSON.parse(text).access_token as string };
  }

  describe.each(["/users/me", "/admin/users"])("for GET %s", (path) => {
    it.each([
      ["without sub", { nothing: 1 }, "Invalid authentication credentials"],
      ["with sub null", { sub: null }, "Invalid authentication credentials"],
      ["that has expired", { sub: "alice", exp: 1 }, "Token has expired"],
      ["with a sub that is no string", { sub: { username: "alice" } }, "Could not validate credentials"],
    ])("are a 401 %s", async (_, claims, detail) => {
      const { get, signed } = await withAlice();

      expect(await get(path, await signed(claims))).toEqual({
        status: 401,
        body: { detail },
        challenge: "Bearer",
      });
    });

    it.each(["nobody", "Alice", "", "a", "alice ", "x".repeat(3_000)])(
      "are a 404 for the unknown user %j",
      async (sub) => {
        const { get, signed } = await withAlice();

        expect(await get(path, await signed({ sub }))).toMatchObject({
          status: 404,
          body: { detail: "User not found" },
        });
      },
    );

    it("are a 401 half an hour after the login", async () => {
      const { get, clock, token } = await withAlice();
      clock.now += 30 * MINUTE - 1;
      expect((await get(path, token)).status).not.toBe(401);
      clock.now += 1;
      expect(await get(path, token)).toEqual({
        status: 401,
        body: { detail: "Token has expired" },
        challenge: "Bearer",
      });
    });
  });

  it("give the role of the account, not one in the token", async () => {
    const { get, signed, accounts, token } = await withAlice();
    const claimed = await signed({ sub: "alice", role: "admin" });
    const save = (role: string) =>
      accounts.save({ username: "alice", email: alice.email, passwordHash: "hash", role });

    expect((await get("/admin/users", claimed)).status).toBe(403);
    await save("admin");
    expect((await get("/admin/users", token)).status).toBe(200);
    await save("user");
    expect((await get("/admin/users", token)).status).toBe(403);
  });
});
