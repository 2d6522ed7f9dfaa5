import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadModule } from "../stack/code-error.ts";
import type { TableModel } from "../stack/model.ts";
import type { Engine } from "./engine.ts";

/**
 * Repairs the data if the previous run did not shut down cleanly, and marks this run as started. The marker file stays
 * until a run shuts down cleanly, so a start that fails before the repair does not lose it.
 *
 * @param directory the data directory, locked by this run
 * @param tables the stack's tables, which must exist
 * @param progress receives what is repaired
 * @returns removes the marker, unless the engine ended unexpectedly
 */
export async function recoverFromUncleanShutdown(
  directory: string,
  engine: Engine,
  tables: readonly TableModel[],
  progress: (text: string) => void,
): Promise<() => Promise<void>> {
  const marker = join(directory, "run.begun");
  if (existsSync(marker)) {
    progress("Repairing totals and stock after an unclean shutdown");
    const { repairTables } = await loadModule(() => import("./repair.ts"));
    progress(`Repaired ${await repairTables(engine.endpoint, tables)}`);
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
