import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BatchWriteItemCommand, DynamoDBClient, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { tableNames, tablesWithIds } from "../../functions/definitions.ts";
import { repair } from "../../functions/repair/repair.ts";
import { tableConstructId } from "../../lib/construct-ids.ts";
import { exportTables, type Tables } from "../../ops/backup/export-tables.ts";
import { importTables } from "../../ops/backup/import-tables.ts";
import { fromLine, type Item, toLine } from "../../ops/backup/item-lines.ts";
import { notesIn } from "../support/data/notes.ts";
import { connection, engines, testClient } from "../support/database/database.ts";
import { stackTable } from "../support/infra/stack-table.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A table with ids, of whichever area. */
const [area = ""] = tablesWithIds;

it("a line keeps every type, every digit and every byte of an item", () => {
  const item: Item = {
    pk: { S: "0" },
    sk: { N: "12345678901234567890123456789012345678" },
    bytes: { B: Buffer.from([0, 255, 128]) },
    many: { BS: [Buffer.from([1]), Buffer.from([2])] },
    list: { L: [{ NULL: true }, { BOOL: false }, { M: { inner: { B: Buffer.from("é") } } }] },
    sets: { SS: ["a\n", "\u2028"] },
    numbers: { NS: ["1", "1e-120"] },
  };
  const line = toLine("UsersTable", item);
  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(fromLine(line)).toEqual({ table: "UsersTable", Item: item });
});

describe.each(engines)("an export and its import on $name", ({ endpoint }) => {
  const client = new DynamoDBClient(connection(endpoint));
  const documents = testClient(endpoint);
  let file: string;
  let source: Tables;
  let target: Tables;

  async function emptyTables(): Promise<Tables> {
    const names = await Promise.all(tableNames.map((each) => stackTable(endpoint, each)));
    return { rawDynamodb: client, table: (each) => names[tableNames.indexOf(each)] ?? "" };
  }

  beforeAll(async () => {
    source = await emptyTables();
    const notes = notesIn(documents, source.table(area));
    // Some libraries end lines at these characters, too.
    const textOf = (i: number) => (i === 3 ? "a\u2028b\u2029c\u0085d" : `note ${i}`);
    for (let i = 1; i <= 30; i += 1) await notes.create({ text: textOf(i) }, undefined);
    await notes.remove(7, undefined);
    const Item = { pk: { S: "accounts#1" }, sk: { S: "ada" } };
    await client.send(new PutItemCommand({ TableName: source.table("accounts"), Item }));
  });
  beforeEach(async () => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    file = join(temporaryDirectory(onTestFinished), "backup.jsonl");
    target = await emptyTables();
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => {
    client.destroy();
    documents.destroy();
  });

  const itemsOf = async (tables: Tables, area: string) => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: tables.table(area) }));
    return new Map(Items.map((item) => [JSON.stringify([item.pk, item.sk]), item]));
  };

  async function expectCopy(): Promise<void> {
    for (const each of tableNames) expect(await itemsOf(target, each)).toEqual(await itemsOf(source, each));
  }

  /** The same tables, read in pages of 10, that do something before each call. */
  function disturbed(tables: Tables, act: (command: unknown) => unknown): Tables {
    const send = async (command: never) => {
      await act(command);
      return client.send(command);
    };
    return { ...tables, rawDynamodb: Object.assign(Object.create(client), { send }) };
  }

  it("copies every item, and ids continue where they were", async () => {
    expect(await exportTables(source, file)).toBe(33);
    expect(await importTables(target, file, { isDryRun: true })).toBe(33);
    for (const area of tableNames) expect((await itemsOf(target, area)).size).toBe(0);
    expect(await importTables(target, file)).toBe(33);
    await expectCopy();

    const notes = notesIn(documents, target.table(area));
    const { record } = await notes.create({ text: "next" }, undefined);
    expect(record.id).toBe(31);
    expect((await notes.page(0, 1)).total).toBe(30);
  });

  it("has right totals after records were created and deleted while it read", async () => {
    await exportTables(source, file);
    // As if note 30 had been created, and note 7 deleted, after the scan had passed them.
    const key = { pk: { S: "0" }, sk: { N: "7" } };
    const late = toLine(tableConstructId(area), { ...key, text: { S: "back" } });
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("\n", `\n${late}`).replace(/.*"note 30".*\n/, ""));

    await importTables(target, file);
    await repair(documents, tablesWithIds, target.table, { wait: async () => undefined });
    const { records, total } = await notesIn(documents, target.table(area)).page(0, 100);
    expect([total, records.length, records[6]?.text]).toEqual([29, 29, "back"]);
  });

  it("an export that is interrupted leaves no file that could be imported, and can be repeated", async () => {
    let calls = 0;
    const failing = disturbed(source, () => {
      calls += 1;
      if (calls === 3) throw new Error("interrupted");
    });
    await expect(exportTables(failing, file)).rejects.toThrow("interrupted");
    await expect(importTables(target, file)).rejects.toThrow("ENOENT");
    await expect(importTables(target, `${file}.partial`)).rejects.toThrow("is incomplete");
    await exportTables(source, file);
    await importTables(target, file);
    await expectCopy();
  });

  it("an import that failed goes on with the other tables, names those, and can be repeated", async () => {
    await exportTables(source, file);
    const refused = disturbed(target, (command) => {
      if (command instanceof BatchWriteItemCommand && command.input.RequestItems?.[target.table("accounts")])
        throw Object.assign(new Error("no"), { name: "AccessDeniedException", $metadata: {} });
    });
    const reason = "Not imported (repeat the command with --again):\n- accounts: AccessDeniedException: no";
    await expect(importTables(refused, file)).rejects.toThrow(reason);
    expect(await itemsOf(target, area)).toEqual(await itemsOf(source, area));
    await expect(importTables(target, file)).rejects.toThrow("continue an import with --again");
    await importTables(target, file, { isAgain: true });
    await expectCopy();
  });

  it("refuses what would write over records, and what is no complete export", async () => {
    await exportTables(source, file);
    await expect(exportTables(source, file)).rejects.toThrow("exists already");
    await expect(importTables(source, file)).rejects.toThrow("is not empty");
    const text = readFileSync(file, "utf8");
    for (const [edited, message] of [
      ["", "is incomplete"],
      [text.replace(/.*"note 30".*\n/, ""), "is incomplete"],
      [text.replace(/.*\n$/, ""), "is incomplete"],
      [text.replace('"format":2', '"format":3'), "is no export in format 2"],
      [text.replace(tableConstructId(area), "OthersTable"), "is no export in format 2"],
      [text + text, "is no export in format 2"],
    ] as const) {
      writeFileSync(file, edited);
      for (const isDryRun of [true, false])
        await expect(importTables(target, file, { isDryRun }), message).rejects.toThrow(message);
    }
    for (const area of tableNames) expect((await itemsOf(target, area)).size).toBe(0);
  });

  it("an export lets only the owner read, and follows no link", async () => {
    const thesis = `${file}-thesis`;
    writeFileSync(thesis, "");
    symlinkSync(thesis, `${file}.partial`);
    await exportTables(source, file);
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect(statSync(thesis).size).toBe(0);
    expect(readdirSync(join(file, "..")).sort()).toEqual(["backup.jsonl", "backup.jsonl-thesis"]);
  });
});
