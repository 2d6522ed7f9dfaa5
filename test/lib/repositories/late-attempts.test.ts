import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { preconditionFailed } from "../../../lib/domain/errors.ts";
import { deletedCountKey, IdAllocation } from "../../../lib/records/id-allocation.ts";
import { repairIds } from "../../../lib/records/id-repair.ts";
import { AccountsRepository } from "../../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../../lib/repositories/accounts/login-throttle.ts";
import { idempotencyContext } from "../../support/data/idempotency.ts";
import { type Note, notesIn } from "../../support/data/notes.ts";
import { engines, fill, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults, type Plan } from "../../support/database/faults.ts";
import { CANCELLED, CONDITION_FAILED, late, TOKEN_USED, unlucky } from "../../support/database/late.ts";

const noon = new Date("2026-03-01T12:00:00.000Z");
const later = new Date("2026-03-01T12:00:20.000Z");
const unavailable = { code: "ServiceUnavailable" };
describe.each(engines)("an attempt that arrives late on $name", ({ endpoint }) => {
  /** The note "a" in an unlucky process, and in another one with a clock of its own. */
  async function withNote(plan: Plan) {
    const table = await recordTable(endpoint);
    const clock = { now: noon };
    const others = notesIn(testClient(endpoint), table, () => clock.now);
    await others.create({ text: "a" }, undefined);
    const { client, arrive } = unlucky(endpoint, plan);
    const notes = notesIn(client, table, () => noon);
    return { notes, others, clock, arrive };
  }

  describe("at a change", () => {
    it.each([
      ["later", later],
      ["at the same time", noon],
      ["by a clock that is behind", new Date(0)],
    ])("undoes no change that was made %s", async (_, now) => {
      const { notes, others, clock, arrive } = await withNote(late("UpdateItem"));
      expect(await notes.update(1, { text: "b" })).toMatchObject({ text: "b" });
      clock.now = now;
      expect(await others.update(1, { text: "c" })).toMatchObject({ text: "c" });

      expect(await arrive()).toEqual([CONDITION_FAILED]);
      expect(await others.get(1)).toMatchObject({ text: "c" });
    });

    it("undoes no later change if all attempts are late", async () => {
      const { notes, others, clock, arrive } = await withNote(late("UpdateItem", 3));
      await expect(notes.update(1, { text: "b" })).rejects.toMatchObject(unavailable);
      clock.now = later;
      await others.update(1, { text: "c" });

      expect(await arrive()).toEqual(Array(3).fill(CONDITION_FAILED));
      expect(await others.get(1)).toMatchObject({ text: "c" });
    });

    it("finds no record that was deleted after a first attempt, which others may have read", async () => {
      const table = await recordTable(endpoint);
      const others = notesIn(testClient(endpoint), table);
      await others.create({ text: "a" }, undefined);
      const { client } = unlucky(endpoint, async (operation, attempt) => {
        if (operation !== "UpdateItem") return undefined;
        if (attempt === 1) return "lost";
        expect(await others.get(1)).toMatchObject({ text: "b" });
        await others.remove(1);
        return undefined;
      });
      expect(await notesIn(client, table).update(1, { text: "b" })).toBeUndefined();
    });

    it("brings no deleted record back", async () => {
      const { notes, others, arrive } = await withNote(late("UpdateItem"));
      await notes.update(1, { text: "b" });
      await others.remove(1);
      expect(await arrive()).toEqual([CONDITION_FAILED]);
      expect((await others.list()).records).toEqual([]);
    });

    it("has no effect after the change was refused, even if the record is as it was", async () => {
      const changeInBetween: Plan = async (operation, attempt) => {
        if (operation !== "TransactWriteItems" || attempt > 2) return undefined;
        if (attempt === 2) await others.update(1, { text: "b" });
        return attempt === 1 ? "late" : undefined;
      };
      const { notes, others, arrive } = await withNote(changeInBetween);
      const isA = ({ text }: Note) => {
        if (text !== "a") throw preconditionFailed();
      };
      await expect(notes.update(1, { size: 1 }, isA)).rejects.toMatchObject({ code: "PreconditionFailed" });
      await others.update(1, { text: "a" });

      expect(await arrive()).toEqual([CANCELLED]);
      expect(await others.get(1)).toEqual({ id: 1, text: "a" });
    });

    it("is not repeated if another change may have replaced its own", async () => {
      const replaceInBetween: Plan = async (operation, attempt) => {
        if (operation !== "UpdateItem" || attempt > 2) return undefined;
        if (attempt === 2) await others.update(1, { text: "c" });
        return attempt === 1 ? "lost" : undefined;
      };
      const { notes, others } = await withNote(replaceInBetween);

      await expect(notes.update(1, { text: "b" })).rejects.toMatchObject(unavailable);
      expect(await others.get(1)).toMatchObject({ text: "c" });
    });
  });

  describe("at a creation", () => {
    it("brings no deleted record back", async () => {
      const { notes, others, arrive } = await withNote(late("TransactWriteItems"));
      expect((await notes.create({ text: "b" }, undefined)).record.id).toBe(2);
      await others.remove(2);

      await arrive();
      expect(await others.get(2)).toBeUndefined();
      expect(await others.page(0, 10)).toMatchObject({ records: [{ id: 1 }], total: 1 });
    });

    it.each([false, true])(
      "leaves no record behind if nobody waits for it, the next one exists: %s",
      async (isFollowed) => {
        const { notes, others, arrive } = await withNote(async (operation, attempt) => {
          if (operation !== "TransactWriteItems" || attempt > 3) return undefined;
          if (attempt === 3 && isFollowed) await others.create({ text: "next" }, undefined);
          return "late";
        });
        const key = idempotencyContext("key");
        await expect(notes.create({ text: "b" }, key)).rejects.toMatchObject(unavailable);

        expect(await arrive()).toEqual(Array(3).fill(TOKEN_USED));
        const { record, replayed } = await notes.create({ text: "b" }, key);
        expect({ record, replayed }).toEqual({
          record: { id: isFollowed ? 4 : 2, text: "b" },
          replayed: false,
        });
        const { records, total } = await others.page(0, 10);
        expect(records).toEqual((await others.list()).records);
        expect(total).toBe(isFollowed ? 3 : 2);
      },
    );
  });

  describe("at an allocation", () => {
    const allocate = async (table: string, times: number) => {
      for (let i = 0; i < times; i += 1) await new IdAllocation(testClient(endpoint), table).allocate();
    };

    const lateThenConflict: Plan = (operation, attempt) =>
      operation === "UpdateItem" ? ([undefined, "late", "conflict"] as const)[attempt] : undefined;

    it.each([
      ["in the same process", 0, late("UpdateItem")],
      ["in the same process, after a conflict", 0, lateThenConflict],
      ["in others, so that its entry was removed", 40, late("UpdateItem")],
    ])("uses no id after further allocations %s", async (_, others, plan) => {
      const table = await recordTable(endpoint);
      const { client, arrive } = unlucky(endpoint, plan);
      const ids = new IdAllocation(client, table);
      expect(await ids.allocate()).toMatchObject({ id: 1 });
      await allocate(table, others);
      for (let i = 1; i <= 3; i += 1) expect(await ids.allocate()).toMatchObject({ id: 1 + others + i });

      expect(await arrive()).toEqual([CONDITION_FAILED]);
      expect((await ids.read()).last).toBe(4 + others);
    });

    it("costs a process one more call after another one has raised the epoch", async () => {
      const table = await recordTable(endpoint);
      const { client: unluckyClient } = unlucky(endpoint, late("UpdateItem"));
      const client = testClient(endpoint);
      const attempted = injectFaults(client, () => undefined);
      const ids = new IdAllocation(client, table);
      await ids.allocate();
      await new IdAllocation(unluckyClient, table).allocate();

      for (const calls of [2, 1]) {
        attempted.length = 0;
        await ids.allocate();
        expect(attempted).toHaveLength(calls);
      }
    });
  });

  describe("at an account", () => {
    it("forgets no failed logins that were counted after the login", async () => {
      const table = await recordTable(endpoint, "S");
      const { client, arrive } = unlucky(endpoint, (operation, attempt) =>
        operation === "UpdateItem" && attempt === 4 ? "late" : undefined,
      );
      const logins = new LoginThrottle(client, table, () => noon);
      const others = new LoginThrottle(testClient(endpoint), table, () => noon);
      await (await logins.begin("alice", "203.0.113.7")).failed();
      await (await logins.begin("alice", "203.0.113.7")).succeeded();
      for (let i = 0; i < 5; i += 1) await (await others.begin("alice", "203.0.113.7")).failed();

      expect(await arrive()).toEqual([CONDITION_FAILED]);
      await expect(others.begin("alice", "203.0.113.7")).rejects.toMatchObject({ code: "TooManyRequests" });
    });

    it("does not bring a replaced password back", async () => {
      const table = await recordTable(endpoint, "S");
      const account = { username: "admin", email: "admin@example.com", role: "admin", passwordHash: "1" };
      const others = new AccountsRepository(testClient(endpoint), table);
      await others.save(account);
      const { client, arrive } = unlucky(endpoint, late("TransactWriteItems"));
      const stored = { ...account, age: null, website: null, tokenVersion: 0 };
      await new AccountsRepository(client, table).update(stored, { passwordHash: "2" });
      await others.save({ ...account, passwordHash: "3" });

      expect(await arrive()).toEqual(["done"]);
      expect(await others.get("admin")).toMatchObject({ passwordHash: "3" });
    });
  });

  it("at a repair does not change a number of deleted ids that is as it was", async () => {
    const table = await recordTable(endpoint);
    const others = notesIn(testClient(endpoint), table);
    for (const text of ["a", "b", "c"]) await others.create({ text }, undefined);
    await others.remove(1);
    await fill(testClient(endpoint), table, [{ ...deletedCountKey(0), n: 2 }]);
    const { client, arrive } = unlucky(endpoint, async (operation, attempt) => {
      if (operation !== "TransactWriteItems" || attempt > 2) return undefined;
      if (attempt === 2) await others.remove(2);
      return attempt === 1 ? "late" : undefined;
    });
    await repairIds(client, [{ name: table }], { wait: async () => undefined });
    expect((await others.page(0, 0)).total).toBe(1);

    expect(await arrive()).toEqual([CANCELLED]);
    const { Item: counted } = await testClient(endpoint).send(
      new GetCommand({ TableName: table, Key: deletedCountKey(0), ConsistentRead: true }),
    );
    expect(counted?.n).toBe(2);
  });
});
