import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { htmlReport } from "../../ops/load/html-report.ts";
import { mix } from "../../ops/load/requests.ts";
import { LOAD_FORMAT, type Sample, summarize } from "../../ops/load/summary.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { accessibilityProblems } from "./accessibility.ts";
import { desktop, isWider, openPage, phone, useBrowser } from "./browser.ts";

const directory = temporaryDirectory(afterAll);
const file = join(directory, "load.html");

/** @param slowdown a factor */
function summaryOf(slowdown: number) {
  const samples = Array.from({ length: 3_000 }, (_, i): Sample => {
    const { route, status } = mix[i % mix.length] ?? { route: "", status: 0 };
    const isExpected = i % 500 !== 0;
    const milliseconds = slowdown * (5 + (i % 40) + (i % 97 === 0 ? i / 10 : 0));
    return { route, status: isExpected ? status : 503, isExpected, milliseconds, at: 10 * (i + 1) };
  });
  const startedAt = "2026-11-21T12:00:00.000Z";
  const head = {
    format: LOAD_FORMAT,
    url: "http://localhost:8080/",
    startedAt,
    connections: 8,
  };
  return { ...head, ...summarize(samples, mix) };
}

useBrowser();
beforeAll(() => writeFileSync(file, htmlReport(summaryOf(1), summaryOf(1.5))));

it.each([desktop, phone])("the report of a load is accessible and fits $width pixels", async (size) => {
  const { page, complaints } = await openPage(pathToFileURL(file).href, size);
  await page.locator("meter").first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await isWider(page)).toBe(false);
  expect(complaints).toEqual([]);
});
