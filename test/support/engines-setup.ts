import type { TestProject } from "vitest/node";
import { startEngine } from "../../local/database/engine.ts";
import { chooseEngine } from "../../local/database/engine-programs.ts";
import { findDynamodbLocal } from "./database/dynamodb-local.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The engine of the project's tests; by default that of the local run. */
    engine: "DynamoDB Local" | undefined;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const program = project.getProvidedContext().engine === undefined ? undefined : findDynamodbLocal();
  const { name, endpoint, stop } = await startEngine(program ?? chooseEngine(), undefined, ({ text }) =>
    process.stderr.write(`${text}\n`),
  );
  project.provide("engines", [{ name, endpoint }]);
  return stop;
}
