import { CommandError, messageOf } from "../../cli/errors.ts";
import { parseJson } from "../../infra/documentation/parse-json.ts";
import { DATA_FORMAT } from "../../lib/construct-ids.ts";
import type { TableModel } from "../stack/model.ts";
import { callDynamodb, type EngineAddress } from "./dynamodb-call.ts";
import { createMissingTables } from "./tables.ts";

const maxBatchSize = 25;

/** All items of a table, in DynamoDB's JSON. */
export async function readItems(engine: EngineAddress, TableName: string): Promise<object[]> {
  const items: object[] = [];
  let start: unknown;
  do {
    const after = start ? { ExclusiveStartKey: start } : {};
    const page = await callDynamodb(engine, "Scan", { TableName, ConsistentRead: true, ...after });
    items.push(...(page.Items as object[]));
    start = page.LastEvaluatedKey;
  } while (start);
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
  const before = await exportData(engine, tables);
  try {
    await replaceItems(engine, tables, text);
  } catch (error) {
    await replaceItems(engine, tables, before);
    throw new CommandError(`Nothing was changed, because this can't be imported: ${messageOf(error)}`);
  }
}

async function replaceItems(engine: EngineAddress, tables: readonly TableModel[], text?: string) {
  const [first, ...items] =
    text
      ?.trimEnd()
      .split("\n")
      .map((line) => Object(parseJson(line))) ?? [];
  if (first && first.format !== DATA_FORMAT)
    throw new Error(`it is no export of records in format ${DATA_FORMAT}`);
  const names = new Map(tables.map(({ label, request }) => [label, request.TableName]));
  for (const TableName of names.values()) await callDynamodb(engine, "DeleteTable", { TableName });
  await createMissingTables(engine, tables);
  for (const [label, ofTable] of Map.groupBy(items, ({ table }) => String(table))) {
    const requests = ofTable.map(({ Item }) => ({ PutRequest: { Item } }));
    while (requests.length > 0) {
      const RequestItems = { [names.get(label) ?? label]: requests.splice(0, maxBatchSize) };
      await callDynamodb(engine, "BatchWriteItem", { RequestItems });
    }
  }
}
