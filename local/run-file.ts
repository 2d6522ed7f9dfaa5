import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import { writeFileAtomic } from "../infra/build/write-file-atomic.ts";
import { isInUse } from "./database/lock.ts";

/** How operator commands reach a run: its AWS endpoint, credentials and resources. */
const RunFile = z.object({
  endpoint: z.string(),
  region: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  /** Table names by logical id without CDK's hash. */
  tables: z.record(z.string(), z.string()),
  /** ARNs of secrets by logical id without CDK's hash. */
  secrets: z.record(z.string(), z.string()),
});
export type RunFile = z.output<typeof RunFile>;

/** Writes or replaces the run file, readable for its owner only. */
export function writeRunFile(directory: string, contents: RunFile): void {
  writeFileAtomic(fileIn(directory), `${JSON.stringify(contents, null, 2)}\n`, 0o600);
}

export async function deleteRunFile(directory: string): Promise<void> {
  await rm(fileIn(directory), { force: true });
}

/**
 * Finds the run that uses a data directory.
 *
 * @param directory the setting `DATA_DIR`
 * @returns undefined if no run uses it; the file of a killed run is ignored
 */
export async function findRun(directory: string): Promise<RunFile | undefined> {
  const path = resolve(directory);
  const file = fileIn(path);
  if (!existsSync(file) || !isInUse(path)) return undefined;
  return RunFile.parse(JSON.parse(await readFile(file, "utf8")));
}

function fileIn(directory: string): string {
  return join(directory, "run.json");
}
