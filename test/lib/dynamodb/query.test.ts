import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterEach, expect, it, vi } from "vitest";
import { ApiError } from "../../../lib/domain/errors.ts";
import { ReadBudget, ReadBudgetExceeded } from "../../../lib/domain/read-budget.ts";
import { mapConcurrently, queryPages, withinBudget } from "../../../lib/dynamodb/query.ts";
import { random } from "../../support/random.ts";

it.each([
  [undefined, [undefined, undefined, undefined]],
  [3, [3, 12, 48]],
  [Number.MAX_SAFE_INTEGER, [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1]],
])("a query with the limit %s grows it and keeps it a 32-bit integer", async (Limit, expected) => {
  const limits: (number | undefined)[] = [];
  const client = {
    async send({ input }: { input: QueryCommandInput }) {
      const hasMore = limits.push(input.Limit) < 3;
      return { Items: [], ...(hasMore && { LastEvaluatedKey: { pk: { S: "a" }, sk: { N: "1" } } }) };
    },
  };
  const query = { TableName: "t", ExpressionAttributeValues: {}, Limit };
  const pages = queryPages(client as unknown as DynamoDBDocumentClient, query);
  for await (const { items } of pages) expect(items).toEqual([]);
  expect(limits).toEqual(expected);
});

it("reads are not begun after an error", async () => {
  const begun: number[] = [];
  const read = async (input: number) => {
    begun.push(input);
    if (input === 1) throw new Error("1");
    await new Promise(setImmediate);
  };
  await expect(mapConcurrently([...Array(100).keys()], read)).rejects.toThrow("1");
  await new Promise(setImmediate);
  await new Promise(setImmediate);

  expect(begun).toHaveLength(32);
});

const UNITS_PER_SECOND = 600;
const UNITS_PER_BLOCK = 75;
const throttled = new ApiError("ServiceUnavailable", "Throttled", {
  cause: Object.assign(new Error(), { name: "ThrottlingException" }),
});

/** `node:timers/promises` has no fake timers. */
const wait = (milliseconds = 0) => new Promise<void>((done) => setTimeout(done, milliseconds));

afterEach(() => vi.useRealTimers());

/** A table with a cap, and calls with the three attempts of the SDK. */
function cappedTable() {
  const { next } = random(1);
  let units = UNITS_PER_SECOND;
  let refilledAt = Date.now();
  const attempt = (cost: number) => {
    units = Math.min(UNITS_PER_SECOND, units + ((Date.now() - refilledAt) * UNITS_PER_SECOND) / 1_000);
    refilledAt = Date.now();
    if (units <= 0) return false;
    units -= cost;
    return true;
  };
  return async (cost: number) => {
    for (const longest of [500, 1_000, 0]) {
      await wait(5);
      if (attempt(cost)) return;
      await wait(next() * longest);
    }
    throw throttled;
  };
}

/** Reads blocks of a table with a cap. @returns the result, and when it was there */
async function readAll(blocks: number, seconds: number) {
  vi.useFakeTimers({ now: 0 });
  const call = cappedTable();
  const time = new AbortController();
  setTimeout(() => time.abort(), seconds * 1_000);
  const budget = new ReadBudget(() => time.signal, undefined, wait);
  const read = withinBudget.bind(undefined, budget, { isConsistent: true }, async () => {
    await call(UNITS_PER_BLOCK);
    return { ConsumedCapacity: { CapacityUnits: UNITS_PER_BLOCK } };
  });
  const all = mapConcurrently([...Array(blocks).keys()], read).then(() => "read");
  const result = all.catch((error: unknown) => error).then((result) => ({ result, end: Date.now() }));
  await vi.advanceTimersByTimeAsync(60_000);
  return await result;
}

it("a full read slows down to what the table serves", async () => {
  const { result, end } = await readAll(120, 27);
  expect(result).toBe("read");
  // 14 s would be possible.
  expect(end).toBeLessThan(20_000);
});

it("a full read that cannot end in time says so, and not to try again", async () => {
  const { result, end } = await readAll(400, 27);
  expect(result).toBeInstanceOf(ReadBudgetExceeded);
  expect(result).toMatchObject({ retryAfterSeconds: undefined });
  expect(end).toBeLessThan(29_000);
});

it("a full read of a table that serves nothing is given up, and may be repeated", async () => {
  vi.useFakeTimers({ now: 0 });
  const budget = new ReadBudget(() => new AbortController().signal, undefined, wait);
  const read = withinBudget(budget, { isConsistent: true }, () => Promise.reject(throttled));
  const result = read.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await result).toBe(throttled);
});
