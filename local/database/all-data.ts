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
 * Replaces all items by those of an export, or by none.
 * @throws {CommandError} if the text is no export, or the engine refuses an item; then nothing has changed
 */
export async function importData(engine: EngineAddress, tables: readonly TableModel[], text?: string) {
  const items = readExport(tables, text);
  const before = readExport(tables, await exportData(engine, tables));
  try {
    await replaceItems(engine, tables, items);
  } catch (error) {
    await replaceItems(engine, tables, before);
    throw new CommandError(`Nothing was changed, because this can't be imported: ${messageOf(error)}`);
  }
}

type Items = readonly { readonly table: string; readonly Item: object }[];
function readExport(tables: readonly TableModel[], text?: string): Items {
  const [first, ...items] = (text?.trimEnd().split("\n") ?? []).map((line) => Object(parseJson(line)));
  const labels = tables.map(({ label }) => label);
  if (first && (first.format !== DATA_FORMAT || !items.every(({ table }) => labels.includes(table))))
    throw new CommandError(`Nothing was changed: this is not an export in format ${DATA_FORMAT}.`);
  return items;
}

async function replaceItems(engine: EngineAddress, tables: readonly TableModel[], items: Items) {
  for (const { request } of tables)
    await callDynamodb(engine, "DeleteTable", { TableName: request.TableName });
  await createMissingTables(engine, tables);
  for (const { label, request } of tables) {
    const requests = items.flatMap(({ table, Item }) => (table === label ? [{ PutRequest: { Item } }] : []));
    while (requests.length > 0) {
      const RequestItems = { [request.TableName]: requests.splice(0, maxBatchSize) };
      await callDynamodb(engine, "BatchWriteItem", { RequestItems });
    }
  }
}
