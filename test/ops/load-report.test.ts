import { describe, expect, it } from "vitest";
import { htmlReport } from "../../ops/load/html-report.ts";
import {
  LOAD_FORMAT,
  type LoadSummary,
  parseSummary,
  type Sample,
  summarize,
} from "../../ops/load/summary.ts";

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

function summaryOf(given: readonly Sample[], startedAt = "2026-11-21T12:00:00.000Z"): LoadSummary {
  return {
    format: LOAD_FORMAT,
    url: "https://api.example.com/<b>",
    startedAt,
    connections: 8,
    ...summarize(given, mix),
  };
}

describe("the summary of a load", () => {
  const summary = summaryOf(samples);
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

  it("counts each request in one part of the time", () => {
    expect(summary.overTime).toHaveLength(12);
    expect(summary.overTime.reduce((sum, { requests }) => sum + requests, 0)).toBe(1_000);
    expect(summary.overTime.at(-1)?.untilSecond).toBe(10);
  });

  it("is read back from its text, and nothing else is", () => {
    expect(parseSummary(JSON.stringify(summary), "a.json")).toEqual(summary);
    for (const text of ["", "{}", JSON.stringify({ ...summary, format: "other" })])
      expect(() => parseSummary(text, "a.json")).toThrow(
        "a.json is no report that npm run load -- --json wrote",
      );
  });
});

describe("the HTML report", () => {
  const faster = samples.map((sample) => ({ ...sample, milliseconds: sample.milliseconds / 2 }));
  const page = htmlReport(summaryOf(samples), summaryOf(faster, "2026-11-20T12:00:00.000Z"));

  it("refers to no other file, and escapes what it shows", () => {
    expect(page).not.toMatch(/<script|<link|<img|src=|href=|url\(/);
    expect(page).toContain("https://api.example.com/&lt;b>");
    expect(page).not.toContain("<b>");
  });

  it("has a row for each route, with the change since the baseline", () => {
    expect(page.match(/<th scope="row">/g)).toHaveLength(4 + 12);
    expect(page).toContain('5.0 <span class="worse">+100 %</span>');
    expect(htmlReport(summaryOf(samples), undefined)).not.toContain(" %</span>");
  });

  it("has a chart of the percentiles, without invalid numbers", () => {
    expect(page.match(/<meter [^>]*value="5">/g)?.length).toBeGreaterThan(10);
    expect(page).not.toMatch(/NaN|Infinity|undefined|null/);
    expect(htmlReport(summaryOf([]), undefined)).not.toMatch(/NaN|Infinity|undefined|null|<meter/);
  });
});
