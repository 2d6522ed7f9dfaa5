import type { TestProject } from "vitest/node";
import { startEngine } from "../../local/database/engine.ts";
import { chooseEngine, findEngines } from "../../local/database/engine-programs.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The engine of the project's tests; the first that is installed if undefined. */
    engine: string | undefined;
  }
}

/** Starts an engine without data for the tests of one project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { engine: wanted } = project.getProvidedContext();
  const programs = findEngines().filter(({ name }) => wanted === undefined || name === wanted);
  const { name, endpoint, stop } = await startEngine(chooseEngine(programs), undefined, ({ text }) =>
    process.stderr.write(`${text}\n`),
  );
  project.provide("engines", [{ name, endpoint }]);
  return stop;
}
