import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { tableNames, tablesWithIds } from "../../functions/definitions.ts";
import { repair } from "../../functions/repair/repair.ts";
import { TodosRepository } from "../../lib/repositories/todos.ts";
import { exportTables, type Tables } from "../../ops/backup/export-tables.ts";
import { importTables } from "../../ops/backup/import-tables.ts";
import { fromLine, type Item, toLine } from "../../ops/backup/item-lines.ts";
import { connection, engines, testClient } from "../support/database/database.ts";
import { stackTable } from "../support/infra/stack-table.ts";

describe("a line", () => {
  it("keeps every type, every digit and every byte of an item", () => {
    const item: Item = {
      pk: { S: "0" },
      sk: { N: "12345678901234567890123456789012345678" },
      bytes: { B: Buffer.from([0, 255, 128]) },
      many: { BS: [Buffer.from([1]), Buffer.from([2])] },
      list: { L: [{ NULL: true }, { BOOL: false }, { M: { inner: { B: Buffer.from("é") } } }] },
      sets: { SS: ["a\n", "\u2028"] },
      numbers: { NS: ["1", "1e-120"] },
    };
    const line = toLine(item);
    expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(fromLine(line)).toEqual(item);
  });

  it.each(["", "{", "[]", "{}", '{"Item":{}}', '{"Item":{"pk":"0"}}'])("is not %j", (line) => {
    expect(fromLine(line)).toBeUndefined();
  });
});

describe.each(engines)("an export and its import on $name", ({ endpoint }) => {
  const client = new DynamoDBClient(connection(endpoint));
  const documents = testClient(endpoint);
  let directory: string;
  let source: Tables;
  let target: Tables;

  async function emptyTables(stackName: string): Promise<Tables> {
    const names = new Map<string, string>();
    for (const area of tableNames) names.set(area, await stackTable(endpoint, area));
    return {
      client,
      stackName,
      table: (area) => names.get(area) ?? "",
      progress: () => undefined,
    };
  }

  beforeAll(async () => {
    source = await emptyTables("source");
    const todos = new TodosRepository(documents, source.table("todos"));
    // Some libraries end lines at these characters, too.
    const titleOf = (i: number) => (i === 3 ? "a\u2028b\u2029c\u0085d" : `todo ${i}`);
    for (let i = 1; i <= 30; i += 1) await todos.create({ title: titleOf(i), completed: false }, undefined);
    await todos.remove(7, undefined);
    await client.send(
      new PutItemCommand({
        TableName: source.table("accounts"),
        Item: { pk: { S: "accounts#1" }, sk: { S: "ada" } },
      }),
    );
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "backup-"));
    target = await emptyTables("target");
  });
  afterEach(() => rm(directory, { recursive: true }));
  afterAll(() => {
    client.destroy();
    documents.destroy();
  });

  const itemsOf = async (tables: Tables, area: string) => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: tables.table(area) }));
    return new Map(Items.map((item) => [JSON.stringify([item.pk, item.sk]), item]));
  };

  it("copies every item, and ids continue where they were", async () => {
    await exportTables(source, directory);
    await importTables(target, directory, false);
    for (const area of tableNames)
      expect(await itemsOf(target, area), area).toEqual(await itemsOf(source, area));

    const todos = new TodosRepository(documents, target.table("todos"));
    const { record } = await todos.create({ title: "next", completed: false }, undefined);
    expect(record.id).toBe(31);
    expect((await todos.page(0, 1)).total).toBe(30);
  });

  it("has right totals after records were created and deleted while it read", async () => {
    await exportTables(source, directory);
    // As if todo 30 had been created, and todo 7 deleted, after the scan had passed them.
    const file = join(directory, "todos.jsonl");
    const kept = (await readFile(file, "utf8")).split("\n").filter((line) => !line.includes('"todo 30"'));
    const late = toLine({ pk: { S: "0" }, sk: { N: "7" }, title: { S: "back" }, completed: { BOOL: false } });
    const text = late + kept.join("\n");
    await writeFile(file, text);
    const state = JSON.parse(await readFile(join(directory, "export.json"), "utf8"));
    state.tables.todos.bytes = Buffer.byteLength(text);
    await writeFile(join(directory, "export.json"), JSON.stringify(state));

    await importTables(target, directory, false);
    await repair(documents, tablesWithIds, target.table, { wait: async () => undefined });
    const todos = new TodosRepository(documents, target.table("todos"));
    const { records, total } = await todos.page(0, 100);
    expect([total, records.length, records[6]?.title]).toEqual([29, 29, "back"]);
  });

  /** The same tables, read in pages of 10, with a client that fails after some calls. */
  function interrupted(tables: Tables, calls: number): Tables {
    let left = calls;
    const send = (command: never) => {
      left -= 1;
      if (left < 0) throw new Error("interrupted");
      const { input } = command as { input: { Limit?: number } };
      if ((command as unknown) instanceof ScanCommand) input.Limit ??= 10;
      return client.send(command);
    };
    return { ...tables, client: { send } as unknown as DynamoDBClient };
  }

  /** Repeats something until it is not interrupted. */
  async function attemptsOf(attempt: () => Promise<unknown>): Promise<number> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        await attempt();
        return attempts;
      } catch (error) {
        if (!/interrupted/.test(String(error))) throw error;
      }
    }
  }

  it("continue where they were interrupted", async () => {
    const exports = await attemptsOf(() => exportTables(interrupted(source, 2), directory));
    const imports = await attemptsOf(() =>
      importTables(interrupted(target, tableNames.length + 1), directory, false),
    );

    expect(exports).toBeGreaterThan(4);
    expect(imports).toBeGreaterThan(1);
    for (const area of tableNames)
      expect(await itemsOf(target, area), area).toEqual(await itemsOf(source, area));
  });

  it("refuses what would mix two exports, or write over records", async () => {
    await exportTables(source, directory);
    await expect(exportTables(source, directory)).rejects.toThrow("has a complete export");
    await expect(importTables(source, directory, false)).rejects.toThrow("is not empty");
    await expect(importTables(target, join(directory, "none"), false)).rejects.toThrow("has no export");

    await importTables(target, directory, true);
    for (const area of tableNames) expect((await itemsOf(target, area)).size).toBe(0);

    await writeFile(join(directory, "todos.jsonl"), "");
    await expect(importTables(target, directory, false)).rejects.toThrow("is not as it was exported");
  });
});
