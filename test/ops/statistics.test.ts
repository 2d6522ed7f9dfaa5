import { describe, expect, it } from "vitest";
import { median, percentile } from "../../ops/load/statistics.ts";

describe("statistics", () => {
  it("computes percentiles by the nearest-rank method", () => {
    const values = Array.from({ length: 100 }, (_, at) => at + 1);
    expect([0, 0.5, 0.9, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 50, 90, 99, 100]);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  it("computes the median of unsorted values", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([10, 9, 1, 2])).toBe(2);
  });
});
