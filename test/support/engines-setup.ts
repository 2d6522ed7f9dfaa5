import type { TestProject } from "vitest/node";
import { startEngine } from "../../local/database/engine.ts";
import { findEngines } from "../../local/database/engine-programs.ts";

/** Starts one engine without data for the tests of one project: the one it names, or the first that is installed. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { engineName } = project.getProvidedContext();
  const programs = findEngines(process.env.PATH ?? "").filter(
    ({ name }) => engineName === undefined || name === engineName,
  );
  const engine = await startEngine(programs, undefined, ({ text }) => process.stderr.write(`${text}\n`));
  const { name, endpoint } = engine;
  project.provide("engines", [{ name, endpoint }]);
  return () => engine.stop();
}
