import { hash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { tableNames, tablesWithIds } from "../../functions/definitions.ts";
import { repair } from "../../functions/repair/repair.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { exportTables } from "../../ops/backup/export-tables.ts";
import { importTables } from "../../ops/backup/import-tables.ts";
import { fromLine, type Item, linesOf, toLine } from "../../ops/backup/item-lines.ts";
import type { Tables } from "../../ops/backup/tables.ts";
import { connection, engines, testClient } from "../support/database/database.ts";
import { stackTable } from "../support/infra/stack-table.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const userNamed = (name: string) => ({ name, email: "ada@example.com", age: 36 });

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
    expect(fromLine(Buffer.from(line))).toEqual(item);
  });

  it("is found in any number of chunks, which are read once", async () => {
    const file = join(temporaryDirectory(onTestFinished), "lines");
    // A chunk has 64 KB.
    const lines = ["", "a", "x".repeat(1024 * 1024), "é".repeat(70_000), "b"].map((line) =>
      Buffer.from(line),
    );
    writeFileSync(file, lines.join("\n"));
    const found: Buffer[] = [];
    for await (const line of linesOf(file, 0)) found.push(line);
    expect(found.map(({ length }) => length)).toEqual(lines.map(({ length }) => length));
    expect(found.every((line, i) => line.equals(lines[i] ?? line))).toBe(true);
  });
});

describe.each(engines)("an export and its import on $name", ({ endpoint }) => {
  const client = new DynamoDBClient(connection(endpoint));
  const documents = testClient(endpoint);
  let directory: string;
  let source: Tables;
  let shown: string[] = [];
  let target: Tables;

  async function emptyTables(): Promise<Tables> {
    const names = new Map<string, string>();
    for (const area of tableNames) names.set(area, await stackTable(endpoint, area));
    return { rawDynamodb: client, table: (area) => names.get(area) ?? "" };
  }

  beforeAll(async () => {
    source = await emptyTables();
    const users = new UsersRepository(documents, source.table("users"));
    // Some libraries end lines at these characters, too.
    const nameOf = (i: number) => (i === 3 ? "a\u2028b\u2029c\u0085d" : `user ${i}`);
    for (let i = 1; i <= 30; i += 1) await users.create(userNamed(nameOf(i)), undefined);
    await users.remove(7, undefined);
    const Item = { pk: { S: "accounts#1" }, sk: { S: "ada" } };
    await client.send(new PutItemCommand({ TableName: source.table("accounts"), Item }));
  });
  beforeEach(async () => {
    shown = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => shown.push(String(text).trimEnd()) > 0);
    directory = temporaryDirectory(onTestFinished);
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
    for (const area of tableNames)
      expect(await itemsOf(target, area), area).toEqual(await itemsOf(source, area));
  }

  /** Changes an exported file as if it had been exported so. */
  function edit(area: string, change: (text: string) => string): void {
    const [file, stateFile] = [join(directory, `${area}.jsonl`), join(directory, "export.json")];
    writeFileSync(file, change(readFileSync(file, "utf8")));
    const state = JSON.parse(readFileSync(stateFile, "utf8"));
    state.tables[area].bytes = statSync(file).size;
    state.tables[area].sha256 = hash("sha256", readFileSync(file));
    writeFileSync(stateFile, JSON.stringify(state));
  }

  it("copies every item, and ids continue where they were", async () => {
    await exportTables(source, directory, false);
    await importTables(target, directory, false);
    await expectCopy();

    const users = new UsersRepository(documents, target.table("users"));
    const { record } = await users.create(userNamed("next"), undefined);
    expect(record.id).toBe(31);
    expect((await users.page(0, 1)).total).toBe(30);
  });

  it("has right totals after records were created and deleted while it read", async () => {
    await exportTables(source, directory, false);
    // As if user 30 had been created, and user 7 deleted, after the scan had passed them.
    const key = { pk: { S: "0" }, sk: { N: "7" } };
    const late = toLine({ ...key, name: { S: "back" }, email: { S: "@" }, age: { N: "1" } });
    edit("users", (text) => late + text.replace(/.*"user 30".*\n/, ""));

    await importTables(target, directory, false);
    await repair(documents, tablesWithIds, target.table, { wait: async () => undefined });
    const users = new UsersRepository(documents, target.table("users"));
    const { records, total } = await users.page(0, 100);
    expect([total, records.length, records[6]?.name]).toEqual([29, 29, "back"]);
  });

  /** The same tables, read in pages of 10, with a client that fails after some calls. */
  function interrupted(tables: Tables, calls: number): Tables {
    let left = calls;
    const send = (command: never) => {
      const { input } = command as { input: { Limit?: number; Select?: string } };
      // What each attempt begins with is not counted.
      if (input.Select === "COUNT" || (command as unknown) instanceof DescribeTableCommand)
        return client.send(command);
      left -= 1;
      if (left < 0) throw new Error("interrupted");
      if ((command as unknown) instanceof ScanCommand) input.Limit ??= 10;
      return client.send(command);
    };
    return { ...tables, rawDynamodb: Object.assign(Object.create(client), { send }) };
  }

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
    const exports = await attemptsOf(() => exportTables(interrupted(source, 6), directory, false));
    // Each attempt claims the stage, and writes to one table.
    const imports = await attemptsOf(() => importTables(interrupted(target, 4), directory, false));
    expect(exports).toBeGreaterThan(1);
    expect(imports).toBeGreaterThan(1);
    await expectCopy();
  });

  it("two imports at once do not mix: the second changes nothing, or takes over the first", async () => {
    await exportTables(source, directory, false);
    const other = temporaryDirectory(onTestFinished);
    cpSync(directory, other, { recursive: true });
    const results = await Promise.allSettled(
      [directory, other].map((each) => importTables(target, each, false)),
    );
    const refusals = results.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
    expect(refusals).toEqual([expect.stringMatching(/Another import has begun to write|is not empty/)]);
    await expectCopy();

    target = await emptyTables();
    let isTaken = false;
    const send = async (command: never) => {
      if ((command as unknown) instanceof BatchWriteItemCommand && !isTaken) {
        isTaken = true;
        await importTables(target, directory, false);
      }
      return client.send(command);
    };
    const overtaken = { ...target, rawDynamodb: Object.assign(Object.create(client), { send }) };
    await expect(importTables(overtaken, directory, false)).rejects.toThrow("Another process continues");
    await expectCopy();
  });

  it("refuses what would mix two exports, or write over records", async () => {
    await exportTables(interrupted(source, 6), directory, false).catch(() => undefined);
    await expect(exportTables(target, directory, false)).rejects.toThrow("has an export of other tables");
    await expect(importTables(target, directory, false)).rejects.toThrow("is incomplete");
    await exportTables(source, directory, false);
    await expect(exportTables(source, directory, false)).rejects.toThrow("has a complete export");
    await expect(exportTables(source, "/proc/nope", false)).rejects.toThrow(/^ENOENT: .*'\/proc\/nope'$/);
    await expect(importTables(source, directory, false)).rejects.toThrow("is not empty");
    await expect(importTables(target, join(directory, "none"), false)).rejects.toThrow("has no export");

    const manifest = join(directory, "export.json");
    const complete = readFileSync(manifest, "utf8");
    writeFileSync(manifest, complete.replace('"format": 2', '"format": 3'));
    await expect(importTables(target, directory, false)).rejects.toThrow("are in format 3, and this version");
    writeFileSync(manifest, complete);

    const file = join(directory, "users.jsonl");
    const text = readFileSync(file, "utf8");
    for (const edited of ["", text.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))]) {
      writeFileSync(file, edited);
      await expect(importTables(target, directory, false)).rejects.toThrow("is not as it was exported");
    }
  });

  it("an import is bound to its tables, and says what they have already", async () => {
    await exportTables(source, directory, false);
    expect(await importTables(target, directory, true)).toBe(33);
    for (const area of tableNames) expect((await itemsOf(target, area)).size).toBe(0);
    expect(readdirSync(directory).filter((name) => name.startsWith("import"))).toEqual([]);
    expect(shown).toContain("users: 32 items in the export, 0 imported before, 0 in the table");

    expect(await importTables(target, directory, false)).toBe(33);
    expect(await importTables(target, directory, false)).toBe(0);
    expect(shown).toContain("users: 32 items in the export, 32 imported before, 32 in the table");
    const other = await emptyTables();
    expect(await importTables(other, directory, false)).toBe(33);
    expect(await itemsOf(other, "users")).toEqual(await itemsOf(source, "users"));

    for (const { pk, sk } of (await itemsOf(target, "users")).values())
      await client.send(new DeleteItemCommand({ TableName: target.table("users"), Key: { pk, sk } as Item }));
    expect(await importTables(target, directory, false)).toBe(32);
    expect(await itemsOf(target, "users")).toEqual(await itemsOf(source, "users"));
  });

  it("an import fails if a table has another number of items afterwards", async () => {
    await exportTables(source, directory, false);
    const Item = { pk: { S: "0" }, sk: { N: "99" } };
    const TableName = target.table("users");
    const send = async (command: never) => {
      if ((command as unknown) instanceof BatchWriteItemCommand)
        await client.send(new PutItemCommand({ TableName, Item }));
      return client.send(command);
    };
    const changing = { ...target, rawDynamodb: Object.assign(Object.create(client), { send }) };
    const message = `The table ${TableName} has 33 items after the import instead of 32`;
    await expect(importTables(changing, directory, false)).rejects.toThrow(message);
    await expect(importTables(target, directory, false)).rejects.toThrow(message);

    await client.send(new DeleteItemCommand({ TableName, Key: Item }));
    expect(await importTables(target, directory, false)).toBe(0);
  });

  it("an import goes on with the other tables, and names those that failed", async () => {
    await exportTables(source, directory, false);
    const send = async (command: BatchWriteItemCommand) => {
      if (command instanceof BatchWriteItemCommand && command.input.RequestItems?.[target.table("accounts")])
        throw Object.assign(new Error("no"), { name: "AccessDeniedException", $metadata: {} });
      return client.send(command);
    };
    const refused = { ...target, rawDynamodb: Object.assign(Object.create(client), { send }) };
    await expect(importTables(refused, directory, false)).rejects.toThrow(
      "Not imported (repeat the command):\n- accounts: AccessDeniedException: no",
    );
    expect(await itemsOf(target, "users")).toEqual(await itemsOf(source, "users"));
    expect(await importTables(target, directory, false)).toBe(1);
    await expectCopy();
  });

  it("an export only writes to a directory of its own, follows no link, and lets only the owner read", async () => {
    const modeOf = (name: string) => (statSync(join(directory, name)).mode & 0o777).toString(8);
    const at = (name: string) => join(directory, name);
    mkdirSync(at("full"));
    writeFileSync(at("full/thesis.txt"), "");
    writeFileSync(at("file"), "");
    symlinkSync(at("full"), at("link"));
    chmodSync(at("full"), 0o755);
    for (const name of ["full", "file", "link", "link/"])
      for (const isDryRun of [true, false])
        await expect(exportTables(source, at(name), isDryRun)).rejects.toThrow("choose another directory");
    expect([modeOf("full"), readdirSync(at("full"))]).toEqual(["755", ["thesis.txt"]]);

    mkdirSync(at("empty"));
    chmodSync(at("empty"), 0o755);
    for (const name of ["empty", "new/new"]) {
      await exportTables(interrupted(source, 6), at(name), false).catch(() => undefined);
      for (const file of readdirSync(at(name))) chmodSync(at(`${name}/${file}`), 0o644);
      rmSync(at(`${name}/users.jsonl`), { force: true });
      symlinkSync(at("file"), at(`${name}/users.jsonl`));
      await expect(exportTables(source, at(name), false)).rejects.toThrow("choose another directory");
      rmSync(at(`${name}/users.jsonl`));
      await exportTables(source, at(name), false);
      expect(modeOf(`${name}/users.jsonl`)).toBe("600");
      expect(modeOf(`${name}/export.json`)).toBe("600");
    }
    expect(["empty", "new", "new/new"].map(modeOf)).toEqual(["755", "700", "700"]);
    expect(statSync(at("file")).size).toBe(0);
  });
});
