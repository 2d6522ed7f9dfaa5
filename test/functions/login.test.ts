import { describe, expect, it } from "vitest";
import { routes } from "../../functions/accounts/routes.ts";
import { Passwords } from "../../lib/auth/passwords.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../lib/repositories/accounts/login-throttle.ts";
import { engines, recordTable, testClient } from "../support/database.ts";
import { injectFaults, type Plan } from "../support/faults.ts";
import { invoke } from "../support/invoke.ts";

const cheap = { memory: 8, passes: 1, parallelism: 1 };
const alice = { username: "alice", email: "alice@example.com", password: "Passw0rd" };

/** The accounts function with a hashing cost; `work` lists its hashes and verifications. */
function functionAt(
  endpoint: string,
  table: string,
  { cost = cheap, plan }: { cost?: typeof cheap; plan?: Plan } = {},
) {
  const work: string[] = [];
  class RecordingPasswords extends Passwords {
    override hash(password: string) {
      work.push("hash");
      return super.hash(password);
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
  const handler = createHandler(routes, () => ({
    accounts,
    accountQueries: new AccountQueries(client, table),
    loginThrottle: new LoginThrottle(client, table, now),
    passwords: new RecordingPasswords({ cost }),
    tokens: new Tokens({ secrets: async () => ["secret"], now }),
  }));
  const post = async (target: string, json?: unknown) => {
    const { status, headers, text } = await invoke(
      handler,
      { method: "POST", target, headers: {}, ...(json !== undefined && { body: JSON.stringify(json) }) },
      "",
    );
    return { status, body: JSON.parse(text), retryAfter: headers.get("retry-after") };
  };
  return {
    post,
    logIn: (username: string, password: string) => post("/auth/login", { username, password }),
    accounts,
    clock,
    work,
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

  it("is one read", async () => {
    const { logIn, attempted } = functionAt(endpoint, await withAlice(), { plan: () => undefined });
    await logIn("alice", alice.password);

    expect(attempted).toEqual(["BatchGetItem"]);
  });

  it.each(["alice", "nobody"])("of %s makes three calls if it fails", async (name) => {
    const { logIn, attempted } = functionAt(endpoint, await withAlice(), { plan: () => undefined });
    await logIn(name, "wrong");

    expect(attempted).toEqual(["BatchGetItem", "UpdateItem", "UpdateItem"]);
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
  });

  it.each(["throttled", "timeout", "refused"] as const)(
    "is a 503, not a 401, if every call is %s",
    async (fault) => {
      const { logIn } = functionAt(endpoint, await withAlice(), { plan: () => fault });

      expect((await logIn("alice", alice.password)).status).toBe(503);
    },
  );

  it.each(["conflict", "throttled", "timeout", "lost", "refused"] as const)(
    "registers an account if a first attempt is %s",
    async (fault) => {
      const table = await recordTable(endpoint, "S");
      const { post, logIn } = functionAt(endpoint, table, {
        plan: (operation, attempt) => (operation.startsWith("Transact") && attempt === 1 ? fault : undefined),
      });

      expect((await post("/users/", alice)).status).toBe(201);
      expect((await logIn("alice", alice.password)).status).toBe(200);
    },
  );

  it("hashes nothing for an invalid batch", async () => {
    const { post, work } = functionAt(endpoint, await recordTable(endpoint, "S"));

    expect((await post("/users/batch", [alice, { ...alice, age: -1 }])).status).toBe(422);
    expect(
      (
        await post(
          "/users/batch",
          Array.from({ length: 26 }, () => alice),
        )
      ).status,
    ).toBe(422);
    expect(work).toEqual([]);
  });
});
