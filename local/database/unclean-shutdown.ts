import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadModule } from "../stack/code-error.ts";
import type { TableModel } from "../stack/model.ts";
import type { Step } from "../steps.ts";
import type { Engine } from "./engine.ts";

/**
 * Repairs the data if the previous run did not shut down cleanly, and marks this run as started. The marker file stays
 * until a run shuts down cleanly, so a start that fails before the repair does not lose it.
 *
 * @param directory the data directory, locked by this run
 * @param tables the stack's tables, which must exist
 * @returns removes the marker, unless the engine ended unexpectedly
 */
export async function recoverFromUncleanShutdown(
  directory: string,
  engine: Engine,
  tables: readonly TableModel[],
  step: Step,
): Promise<() => Promise<void>> {
  const marker = join(directory, "run.begun");
  if (existsSync(marker)) {
    const { repairTables } = await loadModule(() => import("./repair.ts"));
    await step(
      () => repairTables(engine.endpoint, tables),
      (repaired) => `Repaired ${repaired} after an unclean shutdown`,
    );
  }
  await writeFile(marker, "");
  let hasEngineEnded = false;
  void engine.ended.then(() => {
    hasEngineEnded = true;
  });
  return async () => {
    if (!hasEngineEnded) await rm(marker, { force: true });
  };
}
