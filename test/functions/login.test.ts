import { afterEach, describe, expect, it, vi } from "vitest";
import { routes as accountRoutes } from "../../functions/accounts/routes.ts";
import { settings } from "../../functions/accounts/settings.ts";
import { routes as loginRoutes } from "../../functions/login/routes.ts";
import { Passwords } from "../../lib/auth/passwords.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../lib/repositories/accounts/login-throttle.ts";
import { UserCreate } from "../../lib/validators/account.ts";
import { clientOf } from "../support/api/invoke.ts";
import { engines, recordTable, testClient } from "../support/database/database.ts";
import { injectFaults, type Plan } from "../support/database/faults.ts";

const cheap = { memory: 8, passes: 1, parallelism: 1 };
const alice = { username: "alice", email: "alice@example.com", password: "Passw0rd" };

/** The functions of accounts and logins with a hashing cost; `work` lists its hashes and verifications. */
function functionAt(
  endpoint: string,
  table: string,
  { cost = cheap, plan }: { cost?: typeof cheap; plan?: Plan } = {},
) {
  const work: string[] = [];
  class RecordingPasswords extends Passwords {
    override async hash(password: string) {
      work.push("hash");
      const hash = await super.hash(password);
      work.push("hashed");
      return hash;
    }
    override verify(password: string, stored: string | undefined) {
      work.push("verify");
      return super.verify(password, stored);
    }
  }
  const client = testClient(endpoint);
  if (plan) injectFaults(client, plan);
  const accounts = new AccountsRepository(client, table);
  const now = () => new Date("2030-01-01T12:00:00.000Z");
  const dependencies = {
    accounts,
    accountQueries: new AccountQueries(client, table),
    loginThrottle: new LoginThrottle(client, table, now),
    passwords: new RecordingPasswords(cost),
    tokens: new Tokens({ secrets: async () => ["secret"], now }),
  };
  const api = clientOf(createHandler([...accountRoutes, ...loginRoutes], () => () => dependencies));
  const post = (target: string, json: unknown, headers = {}) => api.post(target, json, { headers });
  const own = (key: string, token: string, json?: unknown) => {
    const [method = "", target = ""] = key.split(" ");
    return api.request(method, target, json, { headers: { authorization: `Bearer ${token}` } });
  };
  const logIn = (username: string, password: string) => post("/auth/login", { username, password });
  return { post, own, logIn, accounts, work };
}

/** The work of hashing so many passwords, one after the other. */
const hashes = (count: number) => Array.from({ length: count }, () => ["hash", "hashed"]).flat();

describe.each(engines)("login on $name", ({ endpoint }) => {
  async function withAlice() {
    const table = await recordTable(endpoint, "S");
    await functionAt(endpoint, table).post("/users/", alice);
    return table;
  }

  it.each([
    ["an unknown user", "bob", alice.password],
    ["a username in another case", "Alice", alice.password],
    ["a wrong password", "alice", "Passw1rd"],
    ["no password", "alice", ""],
  ])("does the same work and returns the same for %s", async (_, username, password) => {
    const { logIn, work } = functionAt(endpoint, await withAlice());
    expect(await logIn(username, password)).toMatchObject({
      status: 401,
      body: { detail: "Incorrect username or password" },
    });
    expect(work).toEqual(["verify"]);
  });

  it("hashes a password again, once, if the cost has changed", async () => {
    const table = await withAlice();
    const { logIn, work, accounts } = functionAt(endpoint, table, { cost: { ...cheap, passes: 2 } });
    const before = await accounts.get("alice");

    expect((await logIn("alice", "wrong")).status).toBe(401);
    expect(await accounts.get("alice")).toEqual(before);
    expect((await logIn("alice", alice.password)).status).toBe(200);
    expect((await accounts.get("alice"))?.passwordHash).toContain("$m=8,t=2,p=1$");
    expect((await logIn("alice", alice.password)).status).toBe(200);
    expect(work).toEqual(["verify", "verify", ...hashes(1), "verify"]);
  });

  it.each(["alice", "nobody"])("is throttled for %s after five failures, without hashing", async (name) => {
    const { logIn, work } = functionAt(endpoint, await withAlice());
    for (let i = 0; i < 5; i += 1) expect((await logIn(name, "wrong")).status).toBe(401);
    const { status, body, headers } = await logIn(name, alice.password);
    expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
    expect(body).toEqual({ detail: "Too many failed logins, please try again in 1 s" });
    expect(work).toHaveLength(5);
  });

  it("is a 503, not a 401, if every call is throttled", async () => {
    const { logIn } = functionAt(endpoint, await withAlice(), { plan: () => "throttled" });
    expect((await logIn("alice", alice.password)).status).toBe(503);
  });

  const user = (name: string) => ({ ...alice, username: name, email: `${name}@example.com` });
  const batch = (count: number) => Array.from({ length: count }, (_, i) => user(`user${i}`));

  it.each([
    ["that is invalid", [...batch(24), { ...alice, age: -1 }], 422],
    ["that repeats a username", [...batch(24), { ...alice, username: "user0" }], 409],
    ["that begins with a username that is taken", [alice, ...batch(24)], 409],
  ])("hashes nothing for a batch %s", async (_, users, status) => {
    const { post, work } = functionAt(endpoint, await withAlice());
    expect((await post("/users/batch", users)).status).toBe(status);
    expect(work).toEqual([]);
  });

  it.each([
    ["username", { ...alice, email: "other@example.com" }],
    ["email", { ...alice, username: "bob" }],
  ])("tells of a taken %s in a batch after as many hashes as alone", async (field, taken) => {
    const { post, work } = functionAt(endpoint, await withAlice());
    const users = [...batch(3), taken, ...batch(5).slice(3)];
    expect(await post("/users/batch", users)).toMatchObject({ status: 409, body: { field } });
    expect(work).toEqual(hashes(3));
  });

  it.each([
    ["/users/", 1, (password: string) => ({ ...alice, password })],
    ["/users/batch", 5, (password: string) => [...batch(4), { ...alice, password }]],
  ])("hashes nothing and verifies no password for a repeated key of %s", async (path, count, request) => {
    const { post, logIn, work } = functionAt(endpoint, await recordTable(endpoint, "S"));
    const key = { "idempotency-key": "k" };
    const { status, body } = await post(path, request(alice.password), key);
    expect(status).toBe(201);
    for (const guess of [alice.password, "Passw1rd", "Passw2rd"])
      expect(await post(path, request(guess), key)).toMatchObject({ status, body });
    const other = [request(alice.password)].flat().slice(0, 1);
    expect(await post(path, other, key)).toMatchObject({ status: 422 });
    expect(work).toEqual(hashes(count));
    // The password of the first request counts.
    expect((await logIn("alice", alice.password)).status).toBe(200);
    expect((await logIn("alice", "Passw1rd")).status).toBe(401);
  });
});

describe.each(engines)("one's own account on $name", ({ endpoint }) => {
  const [change, remove] = ["PUT /users/me/password", "POST /users/me/deletion"] as const;
  const next = { password: alice.password, new_password: "Difference 2" };
  const ended = { status: 401, body: { detail: "Could not validate credentials" } };

  async function loggedIn() {
    const service = functionAt(endpoint, await recordTable(endpoint, "S"));
    await service.post("/users/", alice);
    const tokenOf = async () => (await service.logIn("alice", alice.password)).body.access_token as string;
    const me = (token: string) => service.own("GET /users/me", token);
    const update = async (changes: Parameters<AccountsRepository["update"]>[1]) => {
      const account = await service.accounts.get("alice");
      expect(account && (await service.accounts.update(account, changes))).toBe(true);
    };
    return { ...service, tokenOf, me, update, token: await tokenOf() };
  }

  it.each([change, remove])("is no longer reached with any token or password of before: %s", async (key) => {
    const { own, logIn, me, token, tokenOf } = await loggedIn();
    const other = await tokenOf();
    expect((await own(key, token, next)).status).toBeLessThan(300);

    for (const each of ["GET /users/me", "GET /admin/users", remove, change])
      expect(await own(each, token, next), each).toMatchObject(ended);
    for (const earlier of [other, "x"]) expect(await me(earlier)).toMatchObject(ended);
    expect((await logIn("alice", alice.password)).status).toBe(401);
  });

  it.each([change, remove])("counts wrong passwords, and stays as it was: %s", async (key) => {
    const { own, logIn, me, token, work } = await loggedIn();
    const wrong = { password: "Passw1rd", new_password: "Difference 2" };
    const incorrect = { status: 403, body: { detail: "Incorrect password" } };
    for (let i = 0; i < 5; i += 1) expect(await own(key, token, wrong)).toMatchObject(incorrect);
    const count = work.length;
    for (const body of [wrong, next]) expect((await own(key, token, body)).status).toBe(429);
    expect((await logIn("alice", alice.password)).status).toBe(429);
    expect(work).toHaveLength(count);
    expect((await me(token)).status).toBe(200);
  });

  it("keeps a one-time password for one login: the same one is refused as the new one", async () => {
    const { own, accounts, tokenOf, update } = await loggedIn();
    await update({ loginsLeft: 1, tokenVersion: 1 });
    const once = await tokenOf();
    const message = "Must differ from the current password";
    const details = [{ field: "body.new_password", message, type: "invalid_value" }];
    // The same in NFKC.
    for (const new_password of [alice.password, alice.password.replace("P", "Ｐ")]) {
      const response = await own(change, once, { password: alice.password, new_password });
      expect(response).toMatchObject({ status: 422, body: { details } });
    }
    expect(await accounts.get("alice")).toMatchObject({ loginsLeft: 0 });
  });

  describe("with the setting refusedPasswords", () => {
    afterEach(() => vi.unstubAllEnvs());
    const refused = settings.refusedPasswords?.parse("most-used") ?? "";

    it("cannot have one of the most used passwords, in any case", async () => {
      const { own, post, token } = await loggedIn();
      const attempts = async () => [
        await post("/users/", { username: "bob", email: "bob@example.com", password: "Password1" }),
        await post("/users/batch", [{ username: "cat", email: "c@example.com", password: "pa55worD" }]),
        await own(change, token, { password: alice.password, new_password: "1Ｑaz2wsx" }),
      ];
      vi.stubEnv("REFUSED_PASSWORDS", refused);
      const message = "Is one of the most used passwords, which are guessed first: choose another";
      expect((await attempts()).map(({ status, body }) => [status, body.details])).toEqual(
        ["body.password", "body.0.password", "body.new_password"].map((field) => [
          422,
          [{ field, message, type: "invalid_value" }],
        ]),
      );
      expect((await own(change, token, next)).status).toBe(200);
      vi.stubEnv("REFUSED_PASSWORDS", settings.refusedPasswords?.parse("none"));
      expect((await attempts()).map(({ status }) => status).slice(0, 2)).toEqual([201, 201]);
    });

    it("refuses only what the rules allow with a capital letter", () => {
      for (const password of refused.split(",")) {
        const capital = password.replace(/[a-z]/, (letter) => letter.toUpperCase());
        expect(UserCreate.shape.password.safeParse(capital).success, password).toBe(true);
        expect(password).toBe(password.toLowerCase());
      }
      expect(new Set(refused.split(",")).size).toBeGreaterThan(100);
      expect(settings.refusedPasswords?.parse("all")).toBeUndefined();
    });
  });

  it("lets in one login with a one-time password, until it is changed, and none to a locked account", async () => {
    const { own, logIn, me, update, token } = await loggedIn();
    await update({ loginsLeft: 1, tokenVersion: 1 });
    expect(await me(token)).toMatchObject(ended);
    const logins = await Promise.all([1, 2, 3].map(() => logIn("alice", alice.password)));
    expect(logins.map(({ status }) => status).sort()).toEqual([200, 401, 401]);

    const once = logins.find(({ status }) => status === 200)?.body.access_token;
    expect((await own(change, once, next)).status).toBe(200);
    for (const _ of ["first", "again"]) expect((await logIn("alice", "Difference 2")).status).toBe(200);

    await update({ loginsLeft: 0, tokenVersion: 3 });
    expect((await logIn("alice", "Difference 2")).status).toBe(401);
  });
});
