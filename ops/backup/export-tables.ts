import { constants, lstatSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type DynamoDBClient, GetItemCommand, paginateQuery, paginateScan } from "@aws-sdk/client-dynamodb";
import { createDirectory } from "../../cli/create-directory.ts";
import { CommandError } from "../../cli/errors.ts";
import { progress } from "../../cli/progress.ts";
import type { TableDefinition } from "../../functions/define-area.ts";
import { tableNames, tables } from "../../functions/definitions.ts";
import { COUNTER_KEY } from "../../lib/records/id-allocation.ts";
import { forEachOf } from "../for-each-of.ts";
import { type Item, toLine } from "./item-lines.ts";
import { newTable, openState, sha256Of, type TableState } from "./state.ts";
import { idOfTables, type Tables } from "./tables.ts";

const counterKey = { pk: { S: COUNTER_KEY.pk }, sk: { N: String(COUNTER_KEY.sk) } };

/**
 * Tables are read while they change. The counter of a table's ids is read last: it counts at least the
 * records that were read, and an import marks ids without a record as deleted. Before it, pending orders are
 * read, which an import completes: none of those that were read as created is among them. In the order of
 * their names, orders are read before products, so that nothing is oversold from a copy (docs/writes.md).
 *
 * @param path a directory that is created, empty, or has an export of these tables that was interrupted
 * @returns how many items were exported
 */
export async function exportTables(source: Tables, path: string, isDryRun: boolean): Promise<number> {
  const database = await idOfTables(source);
  // Without a slash at its end, which would follow a link.
  const directory = resolve(path);
  checkDirectory(directory);
  const { state, save } = openState(join(directory, "export.json"), database);
  if (state.database !== database)
    throw new CommandError(`${directory} has an export of other tables: choose another directory.`);
  if (tableNames.every((area) => state.tables[area]?.isComplete))
    throw new CommandError(`${directory} has a complete export: choose another directory.`);
  if (isDryRun) return 0;
  // Items include password hashes.
  createDirectory(directory, 0o700);
  await forEachOf(tableNames, "Not exported (repeat the command)", (area) =>
    exportTable(source, directory, area, state.tables[area] ?? newTable, save),
  );
  return Object.values(state.tables).reduce((sum, table) => sum + (table?.items ?? 0), 0);
}

/** @throws {CommandError} if the directory is neither empty nor an export's, or has links */
function checkDirectory(directory: string): void {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const entries = stats.isDirectory() ? readdirSync(directory, { withFileTypes: true }) : [];
  const isExport = entries.some(({ name }) => name === "export.json");
  if (!stats.isDirectory() || !entries.every((entry) => isExport && entry.isFile()))
    throw new CommandError(
      `${directory} is neither an empty directory nor one that npm run export has made: choose another directory.`,
    );
}

async function exportTable(
  { rawDynamodb: client, table }: Tables,
  directory: string,
  area: string,
  start: TableState,
  save: (area: string, state: TableState) => void,
): Promise<void> {
  if (start.isComplete) return;
  // Its state marks the directory as an export's.
  save(area, start);
  const TableName = table(area);
  const definition = tables[area] ?? { hasIds: false };
  const { pendingPartitions: pending = [] } = definition;
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const file = join(directory, `${area}.jsonl`);
  const output = await open(file, flags, 0o600);
  try {
    // It may be older.
    await output.chmod(0o600);
    // Drops what was written after the state was saved.
    await output.truncate(start.bytes);
    let state = start;
    const pages = paginateScan({ client, startingToken: start.after }, { TableName, ConsistentRead: true });
    for await (const { LastEvaluatedKey: last, Items = [] } of pages) {
      const items = Items.filter(
        ({ pk, sk }) => !pending.includes(String(pk?.S)) && !isDeepStrictEqual({ pk, sk }, counterKey),
      );
      if (last === undefined) items.push(...(await readLast(client, TableName, definition)));
      const text = items.map(toLine).join("");
      await output.appendFile(text);
      await output.datasync();
      state = {
        items: state.items + items.length,
        permanent: state.permanent + items.filter(({ expires_at }) => expires_at === undefined).length,
        bytes: state.bytes + Buffer.byteLength(text),
        ...(last && { after: last }),
        isComplete: last === undefined,
        ...(last === undefined && { sha256: await sha256Of(file) }),
      };
      save(area, state);
      progress(`${area}: ${state.items.toLocaleString("en")} items${last ? " so far" : ""}`);
    }
  } finally {
    await output.close();
  }
}

/** Reads what is read after all other items of a table. */
async function readLast(
  client: DynamoDBClient,
  TableName: string,
  { hasIds, pendingPartitions = [] }: TableDefinition,
): Promise<Item[]> {
  const items: Item[] = [];
  if (!hasIds) return items;
  for (const pk of pendingPartitions) {
    const values = { ":pk": { S: pk } };
    const query = { TableName, KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: values };
    const pages = paginateQuery({ client }, { ...query, ConsistentRead: true });
    for await (const { Items = [] } of pages) items.push(...Items);
  }
  const counter = { TableName, Key: counterKey, ConsistentRead: true };
  const { Item } = await client.send(new GetItemCommand(counter));
  return Item ? [...items, Item] : items;
}
