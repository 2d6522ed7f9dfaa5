import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { writeFileAtomic } from "../cli/write-file-atomic.ts";
import { isInUse } from "./database/lock.ts";
import { localRegion } from "./stack/arn.ts";
import type { StackModel } from "./stack/model.ts";

/** How operator commands reach a run: its AWS endpoint, credentials and resources. */
interface RunFile {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  /** Table names by logical id without CDK's hash. */
  readonly tables: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Writes or replaces the file of a run whose AWS endpoint knows the key. Only its owner can read it. */
export function writeRunFile(
  directory: string,
  { tables, jobs, secrets }: StackModel,
  endpoint: string,
  accessKeyId: string,
): void {
  const run: RunFile = {
    endpoint,
    region: localRegion,
    accessKeyId,
    tables: Object.fromEntries(tables.map(({ label, request }) => [label, request.TableName])),
    jobs: Object.fromEntries(jobs.map(({ label, functionName }) => [label, functionName])),
    secrets: Object.fromEntries(secrets.map(({ label, arn }) => [label, arn])),
  };
  writeFileAtomic(fileIn(directory), `${JSON.stringify(run, null, 2)}\n`, 0o600);
}

export async function deleteRunFile(directory: string): Promise<void> {
  await rm(fileIn(directory), { force: true });
}

/** @returns undefined if no run uses the directory; the file of a killed run is ignored */
export async function findRun(directory: string): Promise<RunFile | undefined> {
  const path = resolve(directory);
  const file = fileIn(path);
  if (!existsSync(file) || !isInUse(path)) return undefined;
  return JSON.parse(await readFile(file, "utf8"));
}

function fileIn(directory: string): string {
  return join(directory, "run.json");
}
