import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  ScanCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { CommandError } from "../../cli/errors.ts";
import { progress } from "../../cli/progress.ts";
import { tableNames, tablesWithIds } from "../../functions/definitions.ts";
import { DATA_FORMAT, tableConstructId } from "../../lib/construct-ids.ts";
import { parseJson } from "../../lib/parse-json.ts";
import { forEachOf } from "../for-each-of.ts";
import type { Tables } from "./export-tables.ts";
import { fromLine, type Item } from "./item-lines.ts";

/** DynamoDB's limit for one batch. Its limit of 16 MB is more than 25 items of 400 KB. */
const BATCH_SIZE = 25;
/** So many batches are written at the same time. */
const BATCHES = 8;
const MAX_BACKOFF_MS = 5_000;

/**
 * Writes all items of an export. Afterwards `repair` has to mark ids without a record as deleted.
 *
 * @param options `isAgain` after an import that failed: tables may have some of its items, which are written again
 * @returns how many items the export has
 * @throws {CommandError} if it is none or incomplete, or a table has records
 */
export async function importTables(
  target: Tables,
  file: string,
  { isDryRun = false, isAgain = false } = {},
): Promise<number> {
  const items = await countItems(file);
  if (!isAgain) await checkEmpty(target);
  if (isDryRun) return items;
  const failures = await writeLines(target, file);
  await forEachOf(tableNames, "Not imported (repeat the command with --again)", async (area) => {
    if (failures.has(area)) throw failures.get(area);
  });
  return items;
}

/** @throws {CommandError} if the file is no complete export */
async function countItems(file: string): Promise<number> {
  const labels = tableNames.map(tableConstructId);
  let [items, isComplete] = [-1, false];
  for await (const line of (await open(file)).readLines()) {
    const { format, table, items: all } = Object(parseJson(line));
    if (isComplete || (items < 0 ? format !== DATA_FORMAT : all === undefined && !labels.includes(table)))
      throw new CommandError(`${file} is no export in format ${DATA_FORMAT}. Nothing was written.`);
    isComplete = all === items;
    if (all === undefined) items += 1;
  }
  if (!isComplete) throw new CommandError(`${file} is incomplete: export again. Nothing was written.`);
  return items;
}

/** Accounts have no ids that could contradict. */
async function checkEmpty({ rawDynamodb, table }: Tables): Promise<void> {
  for (const area of tablesWithIds) {
    const { Items = [] } = await rawDynamodb.send(new ScanCommand({ TableName: table(area), Limit: 1 }));
    if (Items.length > 0)
      throw new CommandError(
        `The table ${table(area)} is not empty: import into a stage without records, or continue an import with --again. Nothing was written.`,
      );
  }
}

/** Reads the file once. After a failure the rest of that table is left out. @returns the error of each such table */
async function writeLines(target: Tables, file: string): Promise<ReadonlyMap<string, unknown>> {
  const areas = new Map(tableNames.map((area) => [tableConstructId(area), area]));
  const waiting = new Map<string, Item[]>(tableNames.map((area) => [area, []]));
  const counts = new Map<string, number>();
  const failures = new Map<string, unknown>();
  const flush = async (area: string, items: Item[]) => {
    try {
      await writeItems(target.rawDynamodb, target.table(area), items);
      const count = (counts.get(area) ?? 0) + items.length;
      counts.set(area, count);
      progress(`${area}: ${count.toLocaleString("en")} items`);
    } catch (error) {
      failures.set(area, error);
    }
    items.length = 0;
  };
  for await (const line of (await open(file)).readLines()) {
    const { table = "", Item } = fromLine(line);
    const area = areas.get(table) ?? "";
    const items = failures.has(area) ? undefined : waiting.get(area);
    items?.push(Item);
    if (items?.length === BATCHES * BATCH_SIZE) await flush(area, items);
  }
  for (const [area, items] of waiting) if (!failures.has(area)) await flush(area, items);
  return failures;
}

async function writeItems(client: DynamoDBClient, table: string, items: readonly Item[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / BATCH_SIZE) }, (_, i) =>
    items.slice(i * BATCH_SIZE, (i + 1) * BATCH_SIZE),
  );
  await Promise.all(
    batches.map(async (batch) => {
      let requests: WriteRequest[] = batch.map((Item) => ({ PutRequest: { Item } }));
      for (let backoff = 100; requests.length > 0; backoff = Math.min(2 * backoff, MAX_BACKOFF_MS)) {
        const { UnprocessedItems: unprocessed = {} } = await client.send(
          new BatchWriteItemCommand({ RequestItems: { [table]: requests } }),
        );
        requests = unprocessed[table] ?? [];
        if (requests.length > 0) await sleep(backoff);
      }
    }),
  );
}
