import { describe, expect, it, vi } from "vitest";
import { isUncertain } from "../../../lib/dynamodb/client.ts";
import { itemExists, itemIsAbsent, updateOf } from "../../../lib/dynamodb/expressions.ts";
import { getItem } from "../../../lib/dynamodb/query.ts";
import { type TransactionItem, transact } from "../../../lib/dynamodb/writes.ts";
import { engines, fill, recordTable, testClient } from "../../support/database/database.ts";
import type { Fault, Plan } from "../../support/database/faults.ts";
import { TOKEN_USED, unlucky } from "../../support/database/late.ts";

const key = { pk: "0", sk: 1 };
const marker = { pk: "0", sk: 2 };

describe.each(engines)("a transaction on $name", ({ endpoint }) => {
  const client = testClient(endpoint);

  /** Writes an item if it is absent, in a process with faults. */
  async function begin(plan: Plan) {
    const table = await recordTable(endpoint);
    const attempts = vi.fn(plan);
    const process = unlucky(endpoint, attempts);
    const item = { Put: { TableName: table, Item: { ...key, value: "ours" }, ...itemIsAbsent } };
    const outcome = transact(process.client, { item });
    return { table, outcome, attempts, arrive: process.arrive, stored: () => getItem(client, table, key) };
  }

  async function expectUnavailable(outcome: Promise<unknown>, uncertain: boolean) {
    const error = await outcome.catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "ServiceUnavailable", retryAfterSeconds: expect.any(Number) });
    expect(isUncertain(error)).toBe(uncertain);
  }

  /** Of the first attempts. */
  const first =
    (attempts: number, fault: Fault): Plan =>
    (_, attempt) =>
      attempt <= attempts ? fault : undefined;

  it("has no effect any more if no attempt has arrived until the call ends", async () => {
    const { outcome, arrive, stored } = await begin(first(3, "late"));
    await expectUnavailable(outcome, false);
    expect(await arrive()).toEqual(Array(3).fill(TOKEN_USED));
    expect(await stored()).toBeUndefined();
  });

  it("has no effect any more if a later attempt was refused, even if it would not be now", async () => {
    const { table, outcome, arrive, stored } = await begin(async (_, attempt) => {
      if (attempt === 2) await fill(client, table, [{ ...key, value: "another's" }]);
      return attempt === 1 ? "late" : undefined;
    });
    expect(await outcome).toEqual(new Map([["item", undefined]]));
    await transact(client, { item: { Delete: { TableName: table, Key: key } } });

    expect(await arrive()).toEqual([TOKEN_USED]);
    expect(await stored()).toBeUndefined();
  });

  it.each(["lost", "timeout"] as const)("is uncertain if the first attempts are %s", async (fault) => {
    // The last refusals say nothing about the attempts before them.
    const { outcome, stored } = await begin((_, attempt) =>
      attempt > 3 ? "throttled" : attempt === 1 ? fault : "timeout",
    );
    await expectUnavailable(outcome, true);
    expect(await stored()).toEqual(fault === "lost" ? { ...key, value: "ours" } : undefined);
  });

  it.each([
    ["throttled", 3],
    ["conflict", 14],
  ] as const)("is refused for certain if every attempt is %s", async (fault, count) => {
    const { outcome, attempts } = await begin(() => fault);
    await expectUnavailable(outcome, false);
    expect(attempts).toHaveBeenCalledTimes(count);
  });

  it.each<[string, (TableName: string) => TransactionItem]>([
    ["Put", (TableName) => ({ Put: { TableName, Item: { ...key, value: "b" } } })],
    ["Delete", (TableName) => ({ Delete: { TableName, Key: key } })],
    ["ConditionCheck", (TableName) => ({ ConditionCheck: { TableName, Key: key, ...itemExists } })],
    ["Update", (TableName) => ({ Update: { TableName, Key: key, ...updateOf({ value: "b" }) } })],
  ])("finds out how it ended whose first write is a %s", async (_, writeTo) => {
    for (const fault of ["lost", "late"] as const) {
      const table = await recordTable(endpoint);
      await fill(client, table, [{ ...key, value: "a" }]);
      const process = unlucky(endpoint, first(3, fault));
      const put = { Put: { TableName: table, Item: marker } };
      const outcome = transact(process.client, { write: writeTo(table), nothing: undefined, put: [put] });

      if (fault === "lost") expect(await outcome).toEqual(new Map());
      else await expect(outcome).rejects.toMatchObject({ code: "ServiceUnavailable" });
      await process.arrive();
      expect(await getItem(client, table, marker)).toEqual(fault === "lost" ? marker : undefined);
    }
  });
});
