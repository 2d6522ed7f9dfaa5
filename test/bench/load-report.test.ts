import { describe, expect, it } from "vitest";
import { type Sample, summarize } from "../../bench/load/summary.ts";

const mix = [
  { route: "GET /todos/{id}", weight: 3 },
  { route: "POST /orders", weight: 1 },
  { route: "GET /none", weight: 0 },
];

/** A thousand requests in ten seconds; each tenth is an order, one of which fails. */
const samples = Array.from({ length: 1_000 }, (_, i): Sample => {
  const isOrder = i % 10 === 9;
  return {
    route: isOrder ? "POST /orders" : "GET /todos/{id}",
    status: i === 999 ? undefined : isOrder ? 201 : 200,
    isExpected: i !== 999,
    milliseconds: isOrder ? 50 + i : 5,
    at: 10 * (i + 1),
  };
});

describe("the summary of a load", () => {
  const summary = summarize(samples, mix);
  const [todos, orders, none] = summary.routes;

  it("has percentiles, errors and throughput of each route and of all", () => {
    expect(todos).toMatchObject({ share: 0.75, requests: 900, perSecond: 90, p50: 5, p99: 5, errors: {} });
    expect(orders).toMatchObject({ requests: 100, p99: 1039, max: 1049, errors: { "no response": 1 } });
    expect(none).toMatchObject({ requests: 0, p50: null, max: null });
    expect(summary.all).toMatchObject({ route: "all", share: null, requests: 1_000, p50: 5, p99: 949 });
    expect(summary.seconds).toBe(10);
  });

  it.each([
    [1, { p50: null, p90: null, p99: null, max: 5 }],
    [2, { p50: 5, p90: null, p99: null, max: 5 }],
    [9, { p50: 5, p90: null, p99: null }],
    [10, { p50: 5, p90: 5, p99: null }],
    [99, { p50: 5, p90: 5, p99: null }],
    [100, { p50: 5, p90: 5, p99: 5 }],
  ])("has no percentile of %i requests that would be the slowest of them", (count, expected) => {
    const todos = samples.filter(({ milliseconds }) => milliseconds === 5).slice(0, count);
    expect(summarize(todos, mix).all).toMatchObject(expected);
  });
});
