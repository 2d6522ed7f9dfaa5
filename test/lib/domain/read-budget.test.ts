import { describe, expect, it } from "vitest";
import { MAX_BYTES, MAX_BYTES_OF_PART, ReadBudget } from "../../../lib/domain/read-budget.ts";

const never = () => new AbortController().signal;

describe("the read budget of a request", () => {
  it("is spent when its bytes are, and not before", () => {
    const budget = new ReadBudget(never);
    budget.spend(MAX_BYTES - 1);
    expect(budget.isSpent).toBe(false);
    budget.spend(1);
    expect(budget.isSpent).toBe(true);
  });

  it("counts a running read as the average of the others", async () => {
    const budget = new ReadBudget(never, 12);
    budget.spend(4);
    const { promise, resolve } = Promise.withResolvers<void>();
    const reads = [budget.spendOn(promise, () => 3)];
    expect(budget.isSpent).toBe(false);
    reads.push(budget.spendOn(promise, () => 3));
    expect(budget.isSpent).toBe(true);
    resolve();
    await Promise.all(reads);
    expect(budget.isSpent).toBe(false);
    expect(budget.affordable(21)).toBe(4);
  });

  it("is spent when its time is over, which starts with the first read", () => {
    const controllers: AbortController[] = [];
    const budget = new ReadBudget(() => {
      controllers.push(new AbortController());
      return controllers[0]?.signal as AbortSignal;
    });
    expect(controllers).toHaveLength(0);
    expect(budget.isSpent).toBe(false);
    controllers[0]?.abort();
    expect(budget.isSpent).toBe(true);
    expect(budget.forPart().isSpent).toBe(true);
    expect(controllers).toHaveLength(1);
  });

  it.each([
    [MAX_BYTES, MAX_BYTES_OF_PART],
    [MAX_BYTES_OF_PART + 1, MAX_BYTES_OF_PART],
    [5, 5],
  ])("of %i bytes gives a part %i", (bytes, expected) => {
    const part = new ReadBudget(never, bytes).forPart();
    part.spend(expected - 1);
    expect(part.isSpent).toBe(false);
    part.spend(1);
    expect(part.isSpent).toBe(true);
  });
});
