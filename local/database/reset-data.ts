import { readdir, realpath, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { StartError } from "../start-error.ts";
import { lockDirectory, lockFile } from "./lock.ts";

/** What runs and engines put into a data directory, and nothing else. */
const ours = [
  /^run\.(begun|pid|json|lock(-\w+)?)$/,
  /^secrets\.json$/,
  /^assembly$/,
  /^dynoxide\.db(-\w+)?$/,
  /^shared-local-instance\.db(-\w+)?$/,
];

/**
 * Deletes a data directory, if it is one and no run uses it.
 *
 * @param setting DATA_DIR
 * @param answers where to ask whether it is meant; undefined asks nobody
 * @returns what was done, for people
 * @throws {StartError} if it is no data directory, or has anything else in it, or is in use
 */
export async function resetData(
  setting: string,
  answers: (Readable & { readonly isTTY?: boolean }) | undefined,
): Promise<string> {
  if (setting === "memory") return "DATA_DIR is memory: nothing is kept, and nothing is to be deleted.";
  const path = resolve(setting);
  const found = await entriesOf(path);
  if (found === undefined) return `There is no data in ${path}.`;
  const directory = await realpath(path);
  const foreign = found.find((name) => !ours.some((pattern) => pattern.test(name)));
  if (!found.includes(lockFile) || foreign !== undefined) {
    const why = found.includes(lockFile)
      ? `it has ${foreign} in it, which no run has put there`
      : "no run has used it";
    throw new StartError(`${path} is not deleted: ${why}.`);
  }
  const lock = lockDirectory(directory);
  try {
    if (answers !== undefined && !(await isMeant(path, answers))) return "Nothing is deleted.";
    // The lock goes last: until then no run can begin here.
    for (const name of found.filter((name) => name !== lockFile)) {
      await rm(join(directory, name), { recursive: true, force: true });
    }
    await rm(join(directory, "run.pid"), { force: true });
    await rm(join(directory, lockFile));
  } finally {
    lock.release();
  }
  if (directory === path) await rmdir(directory);
  return `The data in ${path} is deleted.`;
}

async function entriesOf(directory: string): Promise<string[] | undefined> {
  try {
    return await readdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new StartError(`${directory} can't be read: ${code}`);
  }
}

async function isMeant(
  directory: string,
  answers: Readable & { readonly isTTY?: boolean },
): Promise<boolean> {
  if (!answers.isTTY)
    throw new StartError(`Say --yes to delete the data in ${directory}: nobody can be asked here.`);
  const terminal = createInterface({ input: answers, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`Delete all data in ${directory}? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
