import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CommandError } from "../../cli/errors.ts";
import { SQLITE_FULL } from "../disk-full.ts";
import type { LogSink } from "../log.ts";
import { isDataFile } from "./data-directory.ts";

/** Larger files are only checked after an unclean shutdown. A check of this many bytes takes 0.2 s. */
const QUICKLY_CHECKED_BYTES = 64 * 1024 * 1024;

/**
 * Engines start with damaged files too, and fail with some requests later. A changed text is not noticed.
 *
 * @param log receives a warning if an earlier run was here, but no database is
 * @throws {CommandError} naming the file and the ways out, if it is damaged
 */
export function checkDatabase(directory: string, log: LogSink): void {
  const bytesOf = (name: string) => statSync(join(directory, name)).size;
  const names = readdirSync(directory).filter((name) => isDataFile(name) && bytesOf(name) > 0);
  const databases = names.filter((name) => name.endsWith(".db"));
  const isUnclean = existsSync(join(directory, "run.begun"));
  for (const name of databases) {
    const file = join(directory, name);
    const damage = isUnclean || bytesOf(name) <= QUICKLY_CHECKED_BYTES ? findDamage(file) : undefined;
    if (damage !== undefined) throw damaged(directory, `The database ${file} is damaged (${damage})`);
  }
  const orphan = names.find((name) => name.endsWith("-wal") && !databases.includes(name.slice(0, -4)));
  // SQLite would delete it.
  if (orphan !== undefined)
    throw damaged(directory, `There are changes in ${orphan}, but their database is gone`);
  if (names.includes("secrets.json") && databases.length === 0)
    log({
      source: "database",
      text: `WARNING: ${directory} has the secrets of an earlier run, but its database is gone. This run begins with a new one.`,
    });
}

function damaged(directory: string, what: string): CommandError {
  return new CommandError(
    `${what}. Replace the directory by a backup of it, or delete it with \`npm run reset -- "${directory}"\` and ` +
      "import an export.",
  );
}

/** @returns what is wrong; undefined if nothing is */
function findDamage(file: string): string | undefined {
  let database: DatabaseSync | undefined;
  try {
    // The engine of a killed run may still be ending.
    database = new DatabaseSync(file, { timeout: 5_000 });
    const { integrity_check: result } = database.prepare("PRAGMA integrity_check(1)").get() ?? {};
    if (result !== "ok") return String(result).replace(/\s+/g, " ");
    // dynoxide's tables have items as JSON, which SQLite does not look into.
    const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%item_json%'";
    for (const { name } of database.prepare(tables).all())
      if (database.prepare(`SELECT 1 FROM "${name}" WHERE NOT json_valid(item_json)`).get())
        return `an item of ${name} is not JSON`;
    return undefined;
  } catch (error) {
    const { errcode = SQLITE_FULL, message } = error as Error & { readonly errcode?: number };
    if (errcode === SQLITE_FULL) throw error;
    return message;
  } finally {
    database?.close();
  }
}
