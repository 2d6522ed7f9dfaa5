import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type ApiClient, createClient } from "../../../client/index.js";
import type { DemoExpectation } from "../../support/demo.ts";
import { ofAreas } from "../../support/of-areas.ts";
import { type MemoryRun, runInMemory } from "../../support/programs/run.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const expectations = Object.entries(await ofAreas<DemoExpectation>("demo"));
const steps: string[] = [];
const shown: string[] = [];
let run: MemoryRun;
let api: ApiClient;
beforeAll(async () => {
  run = await runInMemory({
    withDemo: true,
    onStep: (text) => steps.push(text),
    onResponse: ({ target }) => shown.push(target),
  });
  api = createClient({ baseUrl: run.url });
});
afterAll(() => run.close());

it("the demo does not show its own requests", async () => {
  await (await fetch(`${run.url}/health`)).text();
  expect(shown).toEqual(["/health"]);
});

it("the demo is part of the start", () => {
  expect(steps).toContain("Loaded the demo");
});

it.each(expectations)("the demo has %s as its files say", async (_, demo) => {
  expect(await demo(api)).toBeGreaterThan(0);
});

it("the demo loads nothing where records were before", async () => {
  const dataDirectory = temporaryDirectory(onTestFinished);
  await (await runInMemory({ dataDirectory })).close();
  const again: string[] = [];
  await (await runInMemory({ dataDirectory, withDemo: true, onStep: (text) => again.push(text) })).close();
  expect(again).not.toContain("Loaded the demo");
});
