import { CommandError, messageOf } from "../../cli/errors.ts";
import { parseJson } from "../../infra/documentation/parse-json.ts";
import { DATA_FORMAT } from "../../lib/construct-ids.ts";
import { isObject } from "../json.ts";
import type { TableModel } from "../stack/model.ts";
import { callDynamodb, type EngineAddress } from "./dynamodb-call.ts";
import { createMissingTables } from "./tables.ts";

/** In DynamoDB's JSON. */
export type StoredItem = Readonly<Record<string, unknown>>;

const maxBatchSize = 25;

export async function readItems(engine: EngineAddress, TableName: string): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  let start: object = {};
  do {
    const page = await callDynamodb(engine, "Scan", { TableName, ConsistentRead: true, ...start });
    items.push(...(page.Items as StoredItem[]));
    start = page.LastEvaluatedKey ? { ExclusiveStartKey: page.LastEvaluatedKey } : {};
  } while ("ExclusiveStartKey" in start);
  return items;
}

/** JSON lines: the format of the records, then each item with its table. They include password hashes. */
export async function exportData(engine: EngineAddress, tables: readonly TableModel[]): Promise<string> {
  const lines: object[] = [{ format: DATA_FORMAT }];
  for (const { label, request } of tables)
    for (const Item of await readItems(engine, request.TableName)) lines.push({ table: label, Item });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/**
 * Replaces all items of the tables by those of an export, or by none.
 *
 * @throws {CommandError} if the text is no export, or the engine refuses an item; then nothing has changed
 */
export async function importData(engine: EngineAddress, tables: readonly TableModel[], text?: string) {
  const items = text === undefined ? new Map() : readExport(text, tables);
  const before = await exportData(engine, tables);
  try {
    await replaceItems(engine, tables, items);
  } catch (error) {
    await replaceItems(engine, tables, readExport(before, tables));
    throw new CommandError(`Nothing was changed, because the database refuses an item: ${messageOf(error)}`);
  }
}

type Items = ReadonlyMap<string, readonly StoredItem[]>;

function readExport(text: string, tables: readonly TableModel[]): Items {
  const [first = "", ...lines] = text.trimEnd().split("\n");
  if (Object(parseJson(first)).format !== DATA_FORMAT)
    throw new CommandError(`This is no export of records in format ${DATA_FORMAT}. Nothing was changed.`);
  const items = new Map(tables.map(({ label }) => [label, [] as StoredItem[]]));
  for (const [i, line] of lines.entries()) {
    const { table, Item } = Object(parseJson(line));
    const found = items.get(table);
    if (found === undefined || !isObject(Item))
      throw new CommandError(`Line ${i + 2} is no item of a table of this service. Nothing was changed.`);
    found.push(Item);
  }
  return items;
}

async function replaceItems(engine: EngineAddress, tables: readonly TableModel[], items: Items) {
  for (const { request } of tables)
    await callDynamodb(engine, "DeleteTable", { TableName: request.TableName });
  await createMissingTables(engine, tables);
  for (const { label, request } of tables) {
    const requests = (items.get(label) ?? []).map((Item) => ({ PutRequest: { Item } }));
    for (let start = 0; start < requests.length; start += maxBatchSize) {
      const batch = requests.slice(start, start + maxBatchSize);
      await callDynamodb(engine, "BatchWriteItem", { RequestItems: { [request.TableName]: batch } });
    }
  }
}
