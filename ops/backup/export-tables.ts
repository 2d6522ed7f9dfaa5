import { existsSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { GetItemCommand, paginateQuery, paginateScan } from "@aws-sdk/client-dynamodb";
import { CommandError } from "../../cli/errors.ts";
import { progress } from "../../cli/progress.ts";
import { tableNames, tables } from "../../functions/definitions.ts";
import { DATA_FORMAT, tableConstructId } from "../../lib/construct-ids.ts";
import { COUNTER_KEY } from "../../lib/records/id-allocation.ts";
import type { StageResources } from "../stage.ts";
import { type Item, toLine } from "./item-lines.ts";

export type Tables = Pick<StageResources, "rawDynamodb" | "table">;

const counterKey = { pk: { S: COUNTER_KEY.pk }, sk: { N: String(COUNTER_KEY.sk) } };

/**
 * Writes a file of JSON lines: the format of the records, each item with its table, and how many there are.
 *
 * Tables are read while they change. The counter of a table's ids is read last: it counts at least the
 * records that were read, and an import marks ids without a record as deleted. Before it, pending orders are
 * read, which an import completes: none of those that were read as created is among them. In the order of
 * their names, orders are read before products, so that nothing is oversold from a copy (docs/writes.md).
 *
 * @param path of a new file
 * @returns how many items were exported
 */
export async function exportTables(source: Tables, path: string): Promise<number> {
  if (existsSync(path)) throw new CommandError(`${path} exists already: choose another file.`);
  const partial = `${path}.partial`;
  // What an interrupted export has left may have other permissions, or be a link.
  rmSync(partial, { force: true });
  // Items include password hashes.
  const output = await open(partial, "wx", 0o600);
  try {
    await output.appendFile(`${JSON.stringify({ format: DATA_FORMAT })}\n`);
    let items = 0;
    for (const area of tableNames) items += await exportTable(source, area, output);
    await output.appendFile(`${JSON.stringify({ items })}\n`);
    await output.datasync();
    renameSync(partial, path);
    return items;
  } finally {
    await output.close();
  }
}

async function exportTable(source: Tables, area: string, output: FileHandle): Promise<number> {
  let count = 0;
  for await (const items of pagesOf(source, area)) {
    await output.appendFile(items.map((item) => toLine(tableConstructId(area), item)).join(""));
    count += items.length;
    progress(`${area}: ${count.toLocaleString("en")} items`);
  }
  return count;
}

async function* pagesOf({ rawDynamodb: client, table }: Tables, area: string): AsyncGenerator<Item[]> {
  const { hasIds, pendingPartitions: pending = [] } = tables[area] ?? { hasIds: false };
  const read = { TableName: table(area), ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client }, read))
    yield Items.filter(
      ({ pk, sk }) => !pending.includes(String(pk?.S)) && !isDeepStrictEqual({ pk, sk }, counterKey),
    );
  for (const pk of pending) {
    const ofPartition = {
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": { S: pk } },
    };
    for await (const { Items = [] } of paginateQuery({ client }, { ...read, ...ofPartition })) yield Items;
  }
  if (!hasIds) return;
  const { Item } = await client.send(new GetItemCommand({ ...read, Key: counterKey }));
  if (Item) yield [Item];
}
