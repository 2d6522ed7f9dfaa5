import { describe, expect, it, vi } from "vitest";
import {
  MAX_BYTES,
  MAX_BYTES_OF_PART,
  ReadBudget,
  ReadBudgetExceeded,
} from "../../../lib/domain/read-budget.ts";
import { budgetOf } from "../../support/data/budgets.ts";

async function read(budget: ReadBudget, bytes: number): Promise<void> {
  await budget.begin();
  budget.end(bytes);
}

describe("the read budget of a request", () => {
  it.each([
    [MAX_BYTES, MAX_BYTES],
    [MAX_BYTES, MAX_BYTES_OF_PART],
    [MAX_BYTES_OF_PART + 1, MAX_BYTES_OF_PART],
    [5, 5],
  ])("of %i bytes, or its part, is spent after %i, and not before", async (bytes, expected) => {
    const budget = budgetOf(bytes);
    const part = expected === MAX_BYTES ? budget : budget.forPart();
    await read(part, expected - 1);
    await read(part, 1);
    await expect(part.begin()).rejects.toThrow(ReadBudgetExceeded);
  });

  it("counts a running read as the average of the others", async () => {
    const budget = budgetOf(12);
    await read(budget, 4);
    await budget.begin();
    await budget.begin();
    await expect(budget.begin()).rejects.toThrow(ReadBudgetExceeded);
    for (let i = 0; i < 2; i += 1) budget.end(3);
    await read(budget, 0);
    expect(budget.affordable(21)).toBe(4);
  });

  it("is spent when its time is over, which starts with the first read", async () => {
    const time = new AbortController();
    const begin = vi.fn(() => time.signal);
    const budget = new ReadBudget(begin);
    expect(begin).not.toHaveBeenCalled();
    await read(budget, 1);
    time.abort();
    for (const spent of [budget, budget.forPart()])
      await expect(spent.begin()).rejects.toThrow(ReadBudgetExceeded);
    expect(begin).toHaveBeenCalledOnce();
  });
});
