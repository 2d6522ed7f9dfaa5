import type { TestProject } from "vitest/node";
import { startEngine } from "../../local/database/engine.ts";
import { findEngines } from "../../local/database/engine-programs.ts";

/** Starts every engine that is installed, without data, for the tests of one project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = findEngines(process.env.PATH ?? "").filter((program) => {
    const incompatibility = program.incompatibility?.();
    if (incompatibility !== undefined) process.stderr.write(`${incompatibility}\n`);
    return incompatibility === undefined;
  });
  process.stderr.write(`The tests run on ${programs.map(({ name }) => name).join(" and ") || "no engine"}\n`);
  const engines = await Promise.all(
    programs.map((program) =>
      startEngine([program], undefined, ({ text }) => process.stderr.write(`${text}\n`)),
    ),
  );
  project.provide(
    "engines",
    engines.map(({ name, endpoint }) => ({ name, endpoint })),
  );
  return async () => {
    await Promise.all(engines.map((engine) => engine.stop()));
  };
}
