import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadModule } from "../stack/code-error.ts";
import type { TableModel } from "../stack/model.ts";
import type { Engine } from "./engine.ts";

/** Runs a step of a start and reports it when it is done, in the words of `describe`. */
export type Step = <T>(work: () => Promise<T>, describe: (result: T) => string) => Promise<T>;

const readMethods = ["GET", "HEAD", "OPTIONS"];

/** Repairs the data if the previous run did not shut down cleanly: its marker stays until one does. */
export async function recoverFromUncleanShutdown(
  directory: string,
  engine: Engine,
  tables: readonly TableModel[],
  step: Step,
) {
  const marker = join(directory, "run.begun");
  if (existsSync(marker)) {
    const { repairTables } = await loadModule(() => import("./repair.ts"));
    await step(
      () => repairTables(engine, tables),
      (repaired) => `Repaired ${repaired} after an unclean shutdown`,
    );
  }
  await writeFile(marker, "");
  let isKept = false;
  void engine.ended.then(() => {
    isKept = true;
  });
  return {
    /** A creation that failed, as while the disk was full, may have left an id without a record. */
    checkResponse({ method, statusCode }: { readonly method: string; readonly statusCode: number }): void {
      if (statusCode >= 500 && !readMethods.includes(method)) isKept = true;
    },
    async remove(): Promise<void> {
      if (!isKept) await rm(marker, { force: true });
    },
  };
}
