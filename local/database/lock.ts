import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CommandError } from "../../cli/errors.ts";

/** The file that every run creates, which marks a data directory. */
export const lockFile = "run.lock";

/**
 * Locks a data directory for this process with SQLite's file lock, which the operating system releases however the
 * process ends.
 *
 * @param directory an existing directory
 * @returns keeps other runs out until `release`
 * @throws {CommandError} naming the other process, if the directory is in use
 */
export function lockDirectory(directory: string) {
  const pidFile = join(directory, "run.pid");
  const lock = tryLock(directory);
  if (lock === undefined) {
    throw new CommandError(
      `${directory} is in use by another run (pid ${readPid(pidFile)}). ` +
        "Stop that run first, or choose another DATA_DIR.",
    );
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  return lock;
}

/**
 * Tells whether a run uses a data directory.
 *
 * @param directory an existing directory
 */
export function isInUse(directory: string): boolean {
  const lock = tryLock(directory);
  lock?.release();
  return lock === undefined;
}

/** The garbage collector closes a database without references, which would release its lock. */
const locked = new Set<DatabaseSync>();

function tryLock(directory: string) {
  const database = new DatabaseSync(join(directory, lockFile), { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
    locked.add(database);
    const release = () => {
      locked.delete(database);
      database.close();
    };
    return { release };
  } catch (error) {
    database.close();
    // SQLITE_BUSY and its extended codes.
    const { errcode = 0 } = error as { readonly errcode?: number };
    if ((errcode & 0xff) !== 5) throw error;
    return undefined;
  }
}

function readPid(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "unknown";
    throw error;
  }
}
