import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../start-error.ts";

/** The file that every run makes, and that marks a data directory. */
export const lockFile = "run.lock";

/** A data directory that no other run can use until `release`. */
export interface DirectoryLock {
  release(): void;
}

/**
 * Claims a data directory for this process. SQLite's file lock does it: the operating system releases that one
 * with the process, however the process ends, so there is nothing to repair after a crash.
 *
 * @param directory an existing directory
 * @returns the lock
 * @throws {StartError} naming the other process, if the directory is in use
 */
export function lockDirectory(directory: string): DirectoryLock {
  const pidFile = join(directory, "run.pid");
  const lock = tryLock(directory);
  if (lock === undefined) {
    throw new StartError(
      `${directory} is in use by another run (pid ${readPid(pidFile)}). ` +
        "Stop that one first, or choose another DATA_DIR.",
    );
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  return lock;
}

/**
 * Tells whether a process has a data directory.
 *
 * @param directory a directory that some run has used
 */
export function isInUse(directory: string): boolean {
  const lock = tryLock(directory);
  lock?.release();
  return lock === undefined;
}

/** What is held: a database that nothing refers to is closed by the garbage collector, and its lock is gone. */
const held = new Set<DatabaseSync>();

function tryLock(directory: string): DirectoryLock | undefined {
  const database = new DatabaseSync(join(directory, lockFile), { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
    held.add(database);
    const release = () => {
      held.delete(database);
      database.close();
    };
    return { release };
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return undefined;
  }
}

/** SQLITE_BUSY and its extended codes. */
function isBusy(error: unknown): boolean {
  const code = (error as { readonly errcode?: number }).errcode;
  return code !== undefined && (code & 0xff) === 5;
}

function readPid(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "unknown";
    throw error;
  }
}
