import { describe, expect, it } from "vitest";
import { routes as accountRoutes } from "../../functions/accounts/routes.ts";
import { routes as loginRoutes } from "../../functions/login/routes.ts";
import { Passwords } from "../../lib/auth/passwords.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../lib/repositories/accounts/login-throttle.ts";
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
  let hashing = 0;
  let mostHashing = 0;
  class RecordingPasswords extends Passwords {
    override async hash(password: string) {
      work.push("hash");
      hashing += 1;
      mostHashing = Math.max(mostHashing, hashing);
      const hash = await super.hash(password);
      hashing -= 1;
      return hash;
    }
    override verify(password: string, stored: string | undefined) {
      work.push("verify");
      return super.verify(password, stored);
    }
  }
  const client = testClient(endpoint);
  const attempted = plan ? injectFaults(client, plan) : [];
  const accounts = new AccountsRepository(client, table);
  const clock = { now: Date.parse("2030-01-01T12:00:00.000Z") };
  const now = () => new Date(clock.now);
  const handler = createHandler([...accountRoutes, ...loginRoutes], () => ({
    accounts,
    accountQueries: new AccountQueries(client, table),
    loginThrottle: new LoginThrottle(client, table, now),
    passwords: new RecordingPasswords(cost),
    tokens: new Tokens({ secrets: async () => ["secret"], now }),
  }));
  const post = async (target: string, json: unknown, headers = {}) => {
    const response = await clientOf(handler).post(target, json, { headers });
    const { status, body } = response;
    return { status, body, retryAfter: response.headers.get("retry-after") };
  };
  return {
    post,
    logIn: (username: string, password: string) => post("/auth/login", { username, password }),
    accounts,
    clock,
    work,
    concurrentHashes: () => mostHashing,
    attempted,
  };
}

describe.each(engines)("login on $name", ({ endpoint }) => {
  async function withAlice() {
    const table = await recordTable(endpoint, "S");
    await functionAt(endpoint, table).post("/users/", alice);
    return table;
  }

  it.each([
    ["an unknown user", "bob", alice.password],
    ["a username in another case", "Alice", alice.password],
    ["an invalid username", "a", alice.password],
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
    expect(work).toEqual(["verify", "verify", "hash", "verify"]);
  });

  it.each(["alice", "nobody"])("is throttled for %s after five failures, without hashing", async (name) => {
    const { logIn, work, clock } = functionAt(endpoint, await withAlice());
    for (let i = 0; i < 5; i += 1) expect((await logIn(name, "wrong")).status).toBe(401);

    const throttled = {
      status: 429,
      body: { detail: "Too many failed logins, please try again in 1 s" },
      retryAfter: "1",
    };
    expect(await logIn(name, "wrong")).toEqual(throttled);
    expect(await logIn(name, alice.password)).toEqual(throttled);
    expect(work).toHaveLength(5);

    clock.now += 1_000;
    expect((await logIn(name, alice.password)).status).toBe(name === "alice" ? 200 : 401);
    expect(work).toHaveLength(6);
    // A success forgets the failures.
    for (let i = 0; i < 5; i += 1)
      expect((await logIn(name, "wrong")).status).toBe(name === "alice" ? 401 : 429);
  });

  it.each(["throttled", "timeout", "refused"] as const)(
    "is a 503, not a 401, if every call is %s",
    async (fault) => {
      const { logIn } = functionAt(endpoint, await withAlice(), { plan: () => fault });
      expect((await logIn("alice", alice.password)).status).toBe(503);
    },
  );

  const batch = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      ...alice,
      username: `user${i}`,
      email: `user${i}@example.com`,
    }));

  it.each([
    ["that is invalid", [...batch(24), { ...alice, age: -1 }], 422],
    ["that is too long", batch(26), 422],
    ["that repeats a username", [...batch(24), { ...alice, username: "user0" }], 409],
    [
      "that repeats an e-mail",
      [...batch(24), { ...alice, username: "bob", email: "USER1@example.com" }],
      409,
    ],
    ["with a username that is taken", [...batch(24), { ...alice, email: "other@example.com" }], 409],
    ["with an e-mail that is taken", [...batch(24), { ...alice, username: "bob" }], 409],
  ])("hashes nothing for a batch %s", async (_, users, status) => {
    const { post, work } = functionAt(endpoint, await withAlice());
    expect((await post("/users/batch", users)).status).toBe(status);
    expect(work).toEqual([]);
  });

  it.each([
    ["/users/", alice],
    ["/users/batch", batch(3)],
  ])("hashes nothing for a repeated request with an idempotency key to %s", async (path, json) => {
    const { post, work } = functionAt(endpoint, await recordTable(endpoint, "S"));
    const key = { "idempotency-key": "k" };
    await post(path, json, key);
    const hashes = work.length;

    expect((await post(path, json, key)).status).toBe(201);
    expect(await post(path, [json].flat().slice(0, 1), key)).toMatchObject({ status: 422 });
    expect(work).toHaveLength(hashes);
  });

  it.each([
    ["/users/", (password: string) => ({ ...alice, password })],
    ["/users/batch", (password: string) => [{ ...alice, password }]],
  ])("does not reveal by an idempotency key of %s whether a password is right", async (path, request) => {
    const { post, logIn, work } = functionAt(endpoint, await recordTable(endpoint, "S"));
    const key = { "idempotency-key": "k" };
    const first = await post(path, request(alice.password), key);
    const guesses = [alice.password, "Passw1rd", "Passw2rd"];

    expect(first.status).toBe(201);
    for (const guess of guesses) expect(await post(path, request(guess), key)).toEqual(first);
    expect(work).toEqual(["hash"]);
    // The password of the first request counts.
    expect((await logIn("alice", alice.password)).status).toBe(200);
    expect((await logIn("alice", "Passw1rd")).status).toBe(401);
  });

  it("hashes the passwords of a batch one after the other", async () => {
    const { post, concurrentHashes } = functionAt(endpoint, await recordTable(endpoint, "S"));
    expect((await post("/users/batch", batch(5))).status).toBe(201);
    expect(concurrentHashes()).toBe(1);
  });
});
