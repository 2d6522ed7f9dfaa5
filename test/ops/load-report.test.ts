import { describe, expect, it } from "vitest";
import type { Sample } from "../../ops/load/generator.ts";
import { htmlReport } from "../../ops/load/html-report.ts";
import { loadReport } from "../../ops/load/report.ts";
import {
  allRoutes,
  bucketBounds,
  type LoadSummary,
  parseSummary,
  summarizeRoutes,
} from "../../ops/load/summary.ts";

const weights = new Map([
  ["GET /todos/{id}", 3],
  ["POST /orders", 1],
  ["GET /none", 0],
]);

/** A hundred requests in ten seconds; each tenth is an order, one of which fails. */
const samples = Array.from({ length: 100 }, (_, i): Sample => {
  const isOrder = i % 10 === 9;
  return {
    route: isOrder ? "POST /orders" : "GET /todos/{id}",
    status: i === 99 ? undefined : isOrder ? 201 : 200,
    isExpected: i !== 99,
    milliseconds: isOrder ? 50 + i : 5,
    at: 100 * (i + 1),
  };
});

function summaryOf(given: readonly Sample[], startedAt = "2026-11-21T12:00:00.000Z"): LoadSummary {
  const routes = summarizeRoutes(given, weights);
  return {
    format: "resource-api load 1",
    url: "https://api.example.com/<b>",
    startedAt,
    seconds: 10,
    connections: 8,
    routes,
  };
}

describe("the summary of a load", () => {
  const summary = summaryOf(samples);
  const [todos, orders, none] = summary.routes;

  it("has percentiles, errors and throughput of each route and of all", () => {
    expect(todos).toMatchObject({ share: 0.75, requests: 90, perSecond: 9, p50: 5, p99: 5, errors: {} });
    expect(orders).toMatchObject({ requests: 10, max: 149, errors: { "no response": 1 } });
    expect(none).toMatchObject({ requests: 0, p50: null, max: null });
    expect(allRoutes(summary)).toMatchObject({ route: "all", share: null, requests: 100, p50: 5, p99: 139 });
  });

  it("counts each request in one bucket, and in one part of the time", () => {
    for (const { requests, histogram, overTime } of summary.routes) {
      expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(requests);
      expect(overTime.reduce((sum, slice) => sum + slice.requests, 0)).toBe(requests);
    }
    const used = todos?.histogram.findIndex((count) => count > 0) ?? 0;
    expect(bucketBounds[used]).toBeGreaterThanOrEqual(5);
    expect(bucketBounds[used - 1]).toBeLessThan(5);
    expect(summaryOf([{ ...(samples[0] as Sample), milliseconds: 1e6 }]).routes[0]?.histogram.at(-1)).toBe(1);
  });

  it("is read back from its text, and nothing else is", () => {
    expect(parseSummary(JSON.stringify(summary), "a.json")).toEqual(summary);
    for (const text of ["", "{}", JSON.stringify({ ...summary, format: "other" })])
      expect(() => parseSummary(text, "a.json")).toThrow(
        "a.json is no report that npm run load -- --json wrote",
      );
  });

  it("is a table and a chart as text", () => {
    expect(loadReport(summary.routes)).toMatch(/POST \/orders +25 % +10 +1\.0 .* no response ×1\n/);
    expect(loadReport(summaryOf([]).routes)).toBe("No requests were sent.\n");
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
    expect(page.match(/<tr><td>/g)).toHaveLength(4);
    expect(page).toContain('5.0 <span class="worse">+100 %</span>');
    expect(htmlReport(summaryOf(samples), undefined)).not.toContain(" %</span>");
  });

  it("has two charts for each route that was called, without invalid numbers", () => {
    expect(page.match(/<svg/g)).toHaveLength(6);
    expect(page.match(/<rect class="before"/g)?.length).toBeGreaterThan(2);
    expect(page).not.toMatch(/NaN|Infinity|undefined|null/);
    expect(htmlReport(summaryOf([]), undefined)).not.toMatch(/NaN|Infinity|undefined|null|<svg/);
  });
});
