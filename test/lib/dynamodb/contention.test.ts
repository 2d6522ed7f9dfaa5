import { afterEach, expect, it, vi } from "vitest";
import { tooManyConflicts } from "../../../lib/dynamodb/contention.ts";

afterEach(() => vi.useRealTimers());

it("spreads clients over more seconds the more of them lose, and forgets that after ten seconds", () => {
  vi.useFakeTimers({ now: 0, toFake: ["Date"] });
  const losses = (count: number) => Array.from({ length: count }, () => tooManyConflicts().retryAfterSeconds);
  expect(losses(1)).toEqual([1]);
  expect(new Set(losses(1_000)).size).toBe(30);
  vi.setSystemTime(20_000);
  expect(losses(1)).toEqual([1]);
});
