import { globSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { requestsOf } from "../../../local/demo/load-demo.ts";
import { runInMemory } from "../../support/programs/run.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const steps: string[] = [];
const shown: string[] = [];
const run = await runInMemory({
  withDemo: true,
  onStep: (text) => steps.push(text),
  onResponse: ({ target }) => shown.push(target),
});
afterAll(() => run.close());

const get = async (path: string) => (await fetch(run.url + path)).json();

it("the demo is part of the start, and does not show its own requests", async () => {
  await get("/health");
  expect(shown).toEqual(["/health"]);
  expect(steps).toContain("Loaded the demo");
});

/** How many records the demo creates of each area. A request that fails ends the start. */
const creations = globSync("local/demo/*.jsonl").flatMap((file): [string, number][] => {
  const area = basename(file, ".jsonl");
  const isCreation = RegExp(`^POST /${area}(\\?|$)`);
  const count = requestsOf(area).filter(([request]) => isCreation.test(request)).length;
  return count > 0 ? [[area, count]] : [];
});

it.each(creations)("the demo has the records of its file: %s", async (area, count) => {
  const records = (await get(`/${area}?limit=100&in_stock=false`)) as unknown[];
  expect(records.length).toBeGreaterThanOrEqual(count);
});

it("the demo loads nothing where records were before", async () => {
  const dataDirectory = temporaryDirectory(onTestFinished);
  await (await runInMemory({ dataDirectory })).close();
  const again: string[] = [];
  await (await runInMemory({ dataDirectory, withDemo: true, onStep: (text) => again.push(text) })).close();
  expect(again).not.toContain("Loaded the demo");
});
