import type { TestProject } from "vitest/node";
import { startEngine } from "../../local/database/engine.ts";
import { findEngines } from "../../local/database/engine-programs.ts";

/**
 * Starts engines without data for the tests of one project: the first that is installed, or all of them for a full
 * effort.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { effort } = project.getProvidedContext();
  const programs = findEngines(process.env.PATH ?? "");
  const candidates =
    effort === "full"
      ? programs
          .filter(({ incompatibility }) => incompatibility?.() === undefined)
          .map((program) => [program])
      : [programs];
  const engines = await Promise.all(
    candidates.map((each) => startEngine(each, undefined, ({ text }) => process.stderr.write(`${text}\n`))),
  );
  project.provide(
    "engines",
    engines.map(({ name, endpoint }) => ({ name, endpoint })),
  );
  return async () => {
    await Promise.all(engines.map((engine) => engine.stop()));
  };
}
