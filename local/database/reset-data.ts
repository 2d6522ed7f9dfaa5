import { existsSync, statSync } from "node:fs";
import { readdir, realpath, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { ask } from "../../cli/ask.ts";
import { CommandError } from "../../cli/errors.ts";
import { isDataFile } from "./data-directory.ts";
import { lockDirectory, lockFile } from "./lock.ts";

type TerminalInput = Readable & { readonly isTTY?: boolean };

/**
 * @returns what was done, for people
 * @throws {CommandError} if it is no data directory, contains other files or is in use
 */
export async function resetData(setting: string, input: TerminalInput | undefined): Promise<string> {
  if (setting === "memory") return "DATA_DIR is memory: there is no data to delete.";
  const path = resolve(setting);
  if (!existsSync(path)) return `There is no data in ${path}.`;
  const names = statSync(path).isDirectory() ? await readdir(path) : [];
  const directory = await realpath(path);
  const other = names.find((name) => !isDataFile(name));
  if (!names.includes(lockFile))
    throw new CommandError(`${path} is not a data directory; nothing was deleted.`);
  if (other !== undefined)
    throw new CommandError(
      `${path} also contains ${other}, which is not data of a local run; nothing was deleted.`,
    );
  const lock = lockDirectory(directory);
  try {
    if (input && !input.isTTY)
      throw new CommandError(`Add --yes to delete the data in ${path} where there is no terminal.`);
    if (input && !/^y(es)?$/i.test(await ask(`Delete all data in ${path}? [y/N] `, input)))
      return "Nothing was deleted.";
    // The lock file is deleted last: until then no other run can start here.
    for (const name of [...names.filter((name) => name !== lockFile), "run.pid", lockFile])
      await rm(join(directory, name), { recursive: true, force: true });
  } finally {
    lock.release();
  }
  if (directory === path) await rmdir(directory);
  return `Deleted the data in ${path}.`;
}
