import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import { isInUse } from "./database/lock.ts";

/** What the operator's commands need to reach a run: its AWS services, and the operator's credentials there. */
const RunFile = z.object({
  endpoint: z.string(),
  region: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  stackName: z.string(),
});
export type RunFile = z.output<typeof RunFile>;

/**
 * Tells where a run can be reached, for its owner alone, as long as it lasts.
 *
 * @param directory the run's data directory
 * @returns a function that takes it back
 */
export async function writeRunFile(directory: string, contents: RunFile): Promise<() => Promise<void>> {
  const file = fileIn(directory);
  await writeFile(file, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 });
  return () => rm(file, { force: true });
}

/**
 * Finds the run that uses a data directory.
 *
 * @param directory the setting DATA_DIR
 * @returns where to reach it, or undefined if none runs there; one that was killed does not count
 */
export async function findRun(directory: string): Promise<RunFile | undefined> {
  const path = resolve(directory);
  let text: string;
  try {
    text = await readFile(fileIn(path), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
  return isInUse(path) ? RunFile.parse(JSON.parse(text)) : undefined;
}

function fileIn(directory: string): string {
  return join(directory, "run.json");
}
