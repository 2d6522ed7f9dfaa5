import { afterEach, expect, it, vi } from "vitest";
import { ApiError } from "../../../lib/domain/errors.ts";
import { ReadBudget, ReadBudgetExceeded } from "../../../lib/domain/read-budget.ts";
import { mapConcurrently, withinBudget } from "../../../lib/dynamodb/query.ts";
import { random } from "../../support/random.ts";

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

/** Reads blocks, and beside it three units every fifth of a second. */
async function readBeside(blocks: number, seconds: number) {
  vi.useFakeTimers({ now: 0 });
  const call = cappedTable();
  const time = new AbortController();
  setTimeout(() => time.abort(), seconds * 1_000);
  const budget = new ReadBudget(() => time.signal, undefined, wait);
  const inputs = Array.from({ length: blocks }, (_, i) => i);
  let end = Number.POSITIVE_INFINITY;
  const result = mapConcurrently(inputs, async () => {
    await withinBudget(budget, { isConsistent: true }, async () => {
      await call(UNITS_PER_BLOCK);
      return { ConsumedCapacity: { CapacityUnits: UNITS_PER_BLOCK } };
    });
  })
    .then(
      () => "read",
      (error: unknown) => error,
    )
    .finally(() => {
      end = Date.now();
    });
  const durations: number[] = [];
  let failed = 0;
  while (end > Date.now()) {
    const from = Date.now();
    const point = call(3).then(
      () => durations.push(Date.now() - from),
      () => {
        failed += 1;
      },
    );
    await vi.advanceTimersByTimeAsync(200);
    void point;
  }
  return { result: await result, end, durations, failed };
}

it("a full read slows down to what the table serves, and leaves room for other reads", async () => {
  const { result, end, durations, failed } = await readBeside(120, 27);
  expect(result).toBe("read");
  // 14 s would be possible.
  expect(end).toBeLessThan(20_000);
  expect(durations.filter((each) => each <= 5).length).toBeGreaterThan(0.75 * (durations.length + failed));
});

it("a full read that cannot end in time says so, and not to try again", async () => {
  const { result, end } = await readBeside(400, 27);
  expect(result).toBeInstanceOf(ReadBudgetExceeded);
  expect(result).toMatchObject({ retryAfterSeconds: undefined });
  expect(end).toBeLessThan(29_000);
});

it("a full read of a table that serves nothing is given up, and may be repeated", async () => {
  vi.useFakeTimers({ now: 0 });
  const budget = new ReadBudget(() => new AbortController().signal, undefined, wait);
  const result = withinBudget(budget, { isConsistent: true }, () => Promise.reject(throttled)).catch(
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await result).toBe(throttled);
});
