import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import type { ApiError } from "../../../../lib/domain/errors.ts";
import { AccountsRepository } from "../../../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../../../lib/repositories/accounts/login-throttle.ts";
import { engines, onDefaultEngine, recordTable, testClient } from "../../../support/database/database.ts";
import { injectFaults } from "../../../support/database/faults.ts";
import { newAccount } from "./new-account.ts";

const HOME = "203.0.113.7";
const START = Date.parse("2030-01-01T12:00:00.000Z");

describe.each(engines)("logins on $name", ({ endpoint }) => {
  /** A table with the account alice, a clock, and a login throttle with the calls that it makes. */
  async function withAlice() {
    const table = await recordTable(endpoint, "S");
    await new AccountsRepository(testClient(endpoint), table).registerAll([newAccount("alice")], undefined);
    const clock = { now: START };
    const client = testClient(endpoint);
    const attempted = injectFaults(client, () => undefined);
    const logins = new LoginThrottle(client, table, () => new Date(clock.now));
    const fail = async (times: number, { username = "alice", address = HOME } = {}) => {
      for (let i = 0; i < times; i += 1) await (await logins.begin(username, address)).failed();
    };
    /** The seconds to wait; 0 when the password may be verified, and then counts a failure. */
    const delay = async (address = HOME, username = "alice") => {
      try {
        await (await logins.begin(username, address)).failed();
        return 0;
      } catch (error) {
        expect(error).toMatchObject({ code: "TooManyRequests" });
        return Number((error as ApiError).retryAfterSeconds);
      }
    };
    const items = async () => (await client.send(new ScanCommand({ TableName: table }))).Items ?? [];
    return { logins, attempted, clock, fail, delay, items };
  }

  it("are accepted without delay five times, then after 1, 2, 4, 8, 16 and 30 s", async () => {
    const { fail, delay, clock } = await withAlice();
    await fail(5);

    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      expect(await delay()).toBe(seconds);
      clock.now += seconds * 1_000 - 1;
      expect(await delay()).toBe(1);
      clock.now += 1;
      expect(await delay()).toBe(0);
    }
  });

  it("have no delay at the start of the next window, and after a correct password", async () => {
    const { logins, fail, delay, clock } = await withAlice();
    clock.now += 15 * 60_000 - 1;
    await fail(5);
    expect(await delay()).toBe(1);
    clock.now += 1;
    await fail(5);
    expect(await delay()).toBe(1);
    clock.now += 1_000;
    await fail(1);
    clock.now += 2_000;
    await (await logins.begin("alice", HOME)).succeeded();
    await fail(5);
    expect(await delay()).toBe(1);
  });

  it("are not delayed for another username or from another address", async () => {
    const { logins, fail, delay } = await withAlice();
    await fail(5);
    expect(await delay()).toBe(1);
    expect((await logins.begin("alice", "198.51.100.1")).account).toBeDefined();
    expect((await logins.begin("Alice", HOME)).account).toBeUndefined();
  });

  describe.each(onDefaultEngine(["while an account is attacked from 24 addresses"]))("%s", () => {
    const attackers = Array.from({ length: 24 }, (_, host) => `198.51.100.${host}`);

    async function underAttack() {
      const table = await withAlice();
      for (let i = 0; i < 5; i += 1)
        await Promise.all(attackers.map((address) => table.fail(1, { address })));
      return table;
    }

    it("let the owner in at once, at every login", async () => {
      const { logins, delay, clock } = await underAttack();
      let guesses = 0;
      // Everyone keeps asking for 144 s, and does not wait as told.
      for (let second = 0; second < 144; second += 12) {
        const delays = await Promise.all(attackers.map((address) => delay(address)));
        guesses += delays.filter((seconds) => seconds === 0).length;
        await (await logins.begin("alice", HOME)).succeeded();
        clock.now += 12_000;
      }
      // After 4, 8, 16, 32 and 64 s: 5 guesses from each address beside the free ones.
      expect(guesses).toBeLessThanOrEqual(24 * 7);
    });

    it("allow each address 14 guesses in a window", async () => {
      const { delay, clock } = await underAttack();
      const end = clock.now + 15 * 60_000;
      let guesses = 5;
      for (let seconds = 0; clock.now + seconds * 1_000 < end; ) {
        clock.now += seconds * 1_000;
        seconds = await delay(attackers[0]);
        if (seconds === 0) guesses += 1;
      }
      expect(guesses).toBe(14);
    });
  });

  it.each(onDefaultEngine([300]))("of one address are delayed after %i failures", async (failures) => {
    // But not those of others, nor of an account that has logged in.
    const { logins, fail, delay, clock } = await withAlice();
    for (let i = 0; i < failures; i += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, j) => fail(1, { username: `user${i + j}` })));
      if (i === 200) await (await logins.begin("alice", HOME)).succeeded();
    }

    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      expect(await delay(HOME, "bob")).toBe(seconds);
      clock.now += seconds * 1_000;
      await fail(1, { username: `other${seconds}${clock.now}` });
    }
    expect((await logins.begin("alice", HOME)).account).toBeDefined();
    expect(await delay("198.51.100.1", "bob")).toBe(0);
  });

  it("are delayed by the usual time when another clock is ahead", async () => {
    const { fail, delay, clock } = await withAlice();
    clock.now += 60_000;
    await fail(5);

    clock.now -= 60_000;
    expect(await delay()).toBe(1);
  });

  it.each([HOME, "198.51.100.1"])("from %s are accepted one by one once delayed", async (address) => {
    const { logins, fail, clock } = await withAlice();
    await fail(5, { address });
    clock.now += 1_000;
    const attempts = Array.from({ length: 10 }, () => logins.begin("alice", address));
    const outcomes = await Promise.allSettled(attempts);
    const refusals = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refusals).toMatchObject(Array(9).fill({ code: "TooManyRequests", retryAfterSeconds: 2 }));
  });

  it("leave counters that expire and contain no username or address", async () => {
    const { fail, items } = await withAlice();
    await fail(2);
    const counters = (await items()).filter(({ pk }) => String(pk).startsWith("failures#"));

    const counter = { failures: 2, expires_at: START / 1_000 + 15 * 60 };
    expect(counters).toMatchObject([counter, counter, counter]);
    expect(JSON.stringify(counters)).not.toMatch(/alice|203\.0/);
  });

  it("make no call for an invalid username", async () => {
    const { logins, attempted } = await withAlice();
    const attempt = await logins.begin("al ice", HOME);
    expect(attempt.account).toBeUndefined();
    await attempt.failed();
    await attempt.succeeded();
    expect(attempted).toEqual([]);
  });
});
