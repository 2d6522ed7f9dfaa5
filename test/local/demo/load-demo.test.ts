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

// A request that fails ends the start.
it.each(globSync("local/demo/*.jsonl").map((file) => basename(file, ".jsonl")))(
  "the demo has a record for each request of its file that creates one: %s",
  async (area) => {
    const creations = requestsOf(area).filter(([request]) => RegExp(`^POST /${area}(\\?|$)`).test(request));
    const records = await get(`/${area}?limit=100&in_stock=false`);
    expect(creations.length).toBeGreaterThan(0);
    expect((records as object[]).length).toBeGreaterThanOrEqual(creations.length);
  },
);

it("the demo says that it loads nothing where records were before", async () => {
  const dataDirectory = temporaryDirectory(onTestFinished);
  await (await runInMemory({ dataDirectory })).close();
  const second = await runInMemory({ dataDirectory, withDemo: true });
  await second.close();
  const silent = await runInMemory({ dataDirectory, withDemo: "if new" });
  await silent.close();

  expect(second.lines).toEqual([
    { source: "demo", text: expect.stringMatching(/^SEED=demo loaded nothing: /) },
  ]);
  expect(silent.lines).toEqual([]);
});
