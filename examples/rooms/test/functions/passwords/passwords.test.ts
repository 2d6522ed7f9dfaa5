import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { routes } from "../../../functions/passwords/routes.ts";
import { Tokens } from "../../../lib/auth/tokens.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { lockOf } from "../../../lib/repositories/accounts/account-items.ts";
import { AccountsRepository } from "../../../lib/repositories/accounts/accounts.ts";
import { MailRequest, PasswordsRepository, type Purpose } from "../../../lib/repositories/passwords.ts";
import { clientOf } from "../../support/api/invoke.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";

const ada = { username: "ada", email: "ada@example.com", age: null, website: null, passwordHash: "first" };
const password = "Difference2";
const MINUTE_MS = 60_000;

describe.each(engines)("forgotten passwords on $name", ({ endpoint }) => {
  async function setUp() {
    const client = testClient(endpoint);
    const table = await recordTable(endpoint, "S");
    const accounts = new AccountsRepository(client, await recordTable(endpoint, "S"));
    await accounts.registerAll([ada], undefined);
    const clock = { now: Date.parse("2030-01-01T12:00:00Z") };
    const store = new PasswordsRepository(client, table, accounts, () => clock.now);
    const hashed: string[] = [];
    const hash = async (text: string) => `hash ${hashed.push(text)}`;
    const tokens = new Tokens({ secrets: async () => ["secret"], now: () => new Date(clock.now) });
    const dependencies = { mailTokens: store, passwords: { hash }, accounts, tokens };
    const api = clientOf(createHandler(routes, () => () => dependencies));
    const items = async () => (await client.send(new ScanCommand({ TableName: table }))).Items ?? [];
    const messages = async () =>
      (await items()).filter(({ pk }) => pk === "message#mail").map(({ body }) => MailRequest.parse(body));
    /** Asks for a mail, and does what the job does. @returns its token */
    const mail = async (purpose: Purpose = "reset") => {
      await store.requestMail("ada", purpose);
      const request = (await messages()).find((each) => each.purpose === purpose);
      return (request && (await store.issueToken(request)))?.token ?? "";
    };
    const reset = async (token: string) =>
      (await api.post("/password-resets/completion", { token, password })).status;
    return { client, accounts, store, api, clock, hashed, tokens, items, messages, mail, reset };
  }

  it("do the same for a known and an unknown username", async () => {
    const { client, api, store, messages } = await setUp();
    const calls = injectFaults(client, () => undefined);
    const seen = [];
    for (const username of ["ada", "eve"]) {
      const { status, text } = await api.post("/password-resets", { username });
      seen.push([status, text, ...calls.splice(0)]);
    }
    expect(seen[0]).toEqual([204, "", "TransactWriteItems"]);
    expect(seen[1]).toEqual(seen[0]);
    const issued = await Promise.all((await messages()).map((each) => store.issueToken(each)));
    expect(issued.map((each) => each?.username).toSorted()).toEqual(["ada", undefined]);
    expect(JSON.stringify(await messages())).not.toContain("ada");
  });

  it("get three mails an hour to an address, for whatever purpose", async () => {
    const { store, messages, clock } = await setUp();
    const ask = async () => {
      for (let i = 0; i < 4; i += 1) await store.requestMail("ada", "reset");
    };
    await store.requestMail("ada", "confirmation");
    await ask();
    expect(await messages()).toHaveLength(3);
    await store.requestMail("eve", "reset");
    expect(await messages()).toHaveLength(4);
    clock.now += 60 * MINUTE_MS;
    await ask();
    expect(await messages()).toHaveLength(7);
  });

  it("are replaced once, also by two requests at a time, which ends all tokens", async () => {
    const { api, accounts, tokens, items, mail, reset } = await setUp();
    const login = { headers: { authorization: `Bearer ${await tokens.issue("ada", 0)}` } };
    expect((await api.get("/confirmations/me", login)).status).toBe(200);
    const [token, other] = [await mail(), await mail()];
    expect(JSON.stringify(await items())).not.toContain(token);

    const statuses = await Promise.all([reset(token), reset(token)]);
    expect(statuses.toSorted()).toEqual([204, 400]);
    expect(await accounts.get("ada")).toMatchObject({
      passwordHash: expect.stringMatching(/^hash \d$/),
      tokenVersion: 1,
    });
    expect((await api.get("/confirmations/me", login)).status).toBe(401);
    expect([await reset(token), await reset(other)]).toEqual([400, 400]);
  });

  it("are replaced within fifteen minutes", async () => {
    const { clock, mail, reset, hashed } = await setUp();
    const [late, inTime] = [await mail(), await mail()];
    clock.now += 15 * MINUTE_MS;
    expect([await reset(late), hashed.length]).toEqual([400, 0]);
    clock.now -= 1_000;
    expect(await reset(inTime)).toBe(204);
  });

  it.each(["locked before the mail", "locked after it", "deleted", "changed"])(
    "are not replaced for an account that was %s",
    async (what) => {
      const { accounts, mail, reset } = await setUp();
      const change = async () => {
        const account = await accounts.get("ada");
        if (account === undefined) throw new Error("There is no account");
        if (what === "deleted") return await accounts.remove(account);
        return await accounts.update(account, what === "changed" ? { tokenVersion: 1 } : lockOf(account));
      };
      if (what.endsWith("before the mail")) expect(await change()).toBe(true);
      const token = await mail();
      if (!what.endsWith("before the mail")) expect(await change()).toBe(true);
      const before = await accounts.get("ada");
      expect(await reset(token)).toBe(400);
      expect(await accounts.get("ada")).toEqual(before);
    },
  );

  it("are not replaced by a token of a confirmation, which confirms one address", async () => {
    const { accounts, store, mail, reset } = await setUp();
    const token = await mail("confirmation");
    expect(await reset(token)).toBe(400);
    await store.confirm(token);
    expect(await store.isConfirmed(ada)).toBe(true);
    expect(await store.isConfirmed({ ...ada, email: "other@example.com" })).toBe(false);
    await expect(store.confirm(token)).rejects.toThrow("The token is invalid, used or expired");
    const moved = await mail("confirmation");
    await accounts.save({ ...ada, role: "user", email: "new@example.com" });
    await expect(store.confirm(moved)).rejects.toThrow("The token is invalid, used or expired");
  });
});
