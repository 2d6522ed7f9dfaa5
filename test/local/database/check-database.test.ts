import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { checkDatabase } from "../../../local/database/check-database.ts";
import { random } from "../../support/random.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let directory: string;
let file: string;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
  file = join(directory, "dynoxide.db");
  createDatabase();
});

const check = () => checkDatabase(directory);

/** Creates a database with a table like dynoxide's, of about 100 pages. */
function createDatabase(): void {
  const database = new DatabaseSync(file);
  database.exec(
    `PRAGMA journal_mode = WAL;
     CREATE TABLE "dev-Todos::gsi" (pk TEXT, sk TEXT, item_json TEXT NOT NULL, PRIMARY KEY (pk, sk));
     WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 1000)
     INSERT INTO "dev-Todos::gsi" SELECT id, id, json_object('title', hex(randomblob(150))) FROM ids`,
  );
  database.close();
}

function change(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

function overwrite(bytes: Uint8Array, position: number): void {
  const content = readFileSync(file);
  content.set(bytes, position);
  writeFileSync(file, content);
}

const isDamaged = /^The database \S+ is damaged \(/;

describe("a database", () => {
  it("that is whole is accepted, and not changed", () => {
    const before = readFileSync(file);
    check();
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(directory)).toEqual(["dynoxide.db"]);
  });

  it.each([1, 2, 3, 4, 5])("with sixty flipped bits is damaged (seed %i)", (seed) => {
    const content = readFileSync(file);
    const { below } = random(seed);
    for (let i = 0; i < 60; i += 1) {
      const position = below(content.length);
      content[position] = (content[position] ?? 0) ^ (1 << below(8));
    }
    writeFileSync(file, content);
    expect(check).toThrow(isDamaged);
  });

  it.each<[string, () => void, string]>([
    ["with another beginning", () => overwrite(Buffer.from("encrypted"), 0), "file is not a database"],
    ["that was cut", () => truncateSync(file, 30_000), "database disk image is malformed"],
    ["with a page of zeros", () => overwrite(new Uint8Array(4096), 40_960), ""],
    [
      "with an item that is not JSON",
      () => change(`UPDATE "dev-Todos::gsi" SET item_json = '{' WHERE pk = '500'`),
      "an item of dev-Todos::gsi is not JSON",
    ],
  ])("%s is damaged, and the message names the file and the ways out", (_, damage, reason) => {
    damage();
    expect(check).toThrow(`The database ${file} is damaged (${reason}`);
    expect(check).toThrow(
      `Replace the directory by a backup of it, or delete it with \`npm run reset -- "${directory}"\``,
    );
  });

  it("of more than 64 MB is only checked after an unclean shutdown", () => {
    truncateSync(file, 30_000);
    truncateSync(file, 65 * 1024 * 1024);
    check();
    writeFileSync(join(directory, "run.begun"), "");
    expect(check).toThrow(isDamaged);
  });
});
