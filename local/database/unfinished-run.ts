import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadModule } from "../stack/load-module.ts";
import type { TableModel } from "../stack/model.ts";
import type { Engine } from "./engine.ts";

/**
 * Mends what the run before has left behind if it was killed, and notes that this one has begun to write. The note
 * stays until the run has ended in order, or another one has mended the books: a start that fails in between takes
 * nothing of it back.
 *
 * @param directory the data directory, which is this run's alone
 * @param engine the embedded engine on it
 * @param tables the stack's tables, which exist
 * @param progress hears what is mended
 * @returns notes that the run has ended in order; for an engine that has ended by itself it has not
 */
export async function beginRun(
  directory: string,
  engine: Engine,
  tables: readonly TableModel[],
  progress: (text: string) => void,
): Promise<() => Promise<void>> {
  const note = join(directory, "run.begun");
  if (existsSync(note)) {
    progress("Mending the books after a run that was killed");
    const { repairTables } = await loadModule(() => import("./repair.ts"));
    progress(`Mended ${await repairTables(engine.endpoint, tables)}`);
  }
  await writeFile(note, "");
  let hasEngineEnded = false;
  void engine.ended.then(() => {
    hasEngineEnded = true;
  });
  return async () => {
    if (!hasEngineEnded) await rm(note, { force: true });
  };
}
