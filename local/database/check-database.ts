import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CommandError } from "../../cli/errors.ts";
import { SQLITE_FULL } from "../disk-full.ts";
import { isDataFile } from "./data-directory.ts";

/** Larger files are only checked after an unclean shutdown. A check of this many bytes takes 0.2 s. */
const QUICKLY_CHECKED_BYTES = 64 * 1024 * 1024;

/** Engines start with damaged files too, and fail with some requests later. @throws {CommandError} naming the file */
export function checkDatabase(directory: string): void {
  const isUnclean = existsSync(join(directory, "run.begun"));
  for (const name of readdirSync(directory).filter((each) => isDataFile(each) && each.endsWith(".db"))) {
    const file = join(directory, name);
    const { size } = statSync(file);
    const damage = size > 0 && (isUnclean || size <= QUICKLY_CHECKED_BYTES) ? findDamage(file) : undefined;
    if (damage !== undefined)
      throw new CommandError(
        `The database ${file} is damaged (${damage}). Replace the directory by a backup of it, or delete it with ` +
          `\`npm run reset -- "${directory}"\` and import an export.`,
      );
  }
}

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
