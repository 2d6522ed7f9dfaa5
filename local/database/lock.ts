import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CommandError } from "../../cli/errors.ts";

export const lockFile = "run.lock";

/** The system releases SQLite's lock however the process ends. @throws {CommandError} naming who has it */
export function lockDirectory(directory: string) {
  const lock = tryLock(directory);
  if (lock === undefined) throw inUse(directory);
  writeFileSync(pidFileIn(directory), `${process.pid}\n`);
  return lock;
}

/** Checks that no run uses a data directory, without creating anything. @throws {CommandError} */
export function checkUnused(directory: string): void {
  if (existsSync(join(directory, lockFile)) && isInUse(directory)) throw inUse(directory);
}

function inUse(directory: string): CommandError {
  const file = pidFileIn(directory);
  const pid = existsSync(file) ? readFileSync(file, "utf8").trim() : "unknown";
  return new CommandError(
    `${directory} is in use by another run (pid ${pid}). Stop it with Ctrl-C in its terminal or with ` +
      `\`kill ${pid}\`, or choose another DATA_DIR and PORT.`,
  );
}

export function isInUse(directory: string): boolean {
  const lock = tryLock(directory);
  lock?.release();
  return lock === undefined;
}

/** The garbage collector closes a database without references, which would release its lock. */
const locked = new Set<DatabaseSync>();

function tryLock(directory: string) {
  const file = join(directory, lockFile);
  const database = new DatabaseSync(file, { timeout: 0 });
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
    const { errcode = 0, message } = error as Error & { readonly errcode?: number };
    // SQLITE_BUSY, then SQLITE_NOTADB; the upper bits say more.
    if ((errcode & 0xff) === 5) return undefined;
    if (errcode !== 26) throw error;
    throw new CommandError(
      `${file} is damaged (${message}). Delete it, unless another run uses ${directory}.`,
    );
  }
}

const pidFileIn = (directory: string) => join(directory, "run.pid");
