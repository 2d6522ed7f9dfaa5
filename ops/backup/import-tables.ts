import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  ScanCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { CommandError } from "../../cli/errors.ts";
import { tableNames, tables } from "../../functions/definitions.ts";
import type { Tables } from "./export-tables.ts";
import { fromLine, type Item } from "./item-lines.ts";
import { itemsFile, newTable, readState, type State, type TableState, writeState } from "./state.ts";

/** DynamoDB's limit for one batch. Its limit of 16 MB is more than 25 items of 400 KB. */
const BATCH_SIZE = 25;
/** So many batches are written at the same time, and then the state. */
const BATCHES = 8;
const MAX_BACKOFF_MS = 5_000;

/**
 * Writes the items of an export into tables without records, and over accounts with the same names. An import that was
 * interrupted continues. Afterwards `repair` has to mark ids without a record as deleted.
 *
 * @param isDryRun reads and checks everything, and writes nothing
 * @throws {CommandError} if the export is incomplete or damaged, or a table is not empty
 */
export async function importTables(target: Tables, directory: string, isDryRun: boolean): Promise<State> {
  const exported = readState(join(directory, "export.json"));
  if (exported === undefined) throw new CommandError(`${directory} has no export.`);
  const incomplete = tableNames.find((area) => !exported.tables[area]?.isComplete);
  if (incomplete !== undefined)
    throw new CommandError(
      `The export in ${directory} is incomplete: continue it with npm run export. It ends in ${incomplete}.`,
    );
  const { stackName } = target;
  const file = join(directory, `import-${stackName}.json`);
  const state = readState(file) ?? { stackName, startedAt: new Date().toISOString(), tables: {} };
  for (const area of tableNames) {
    const { bytes } = exported.tables[area] ?? newTable;
    if (sizeOf(itemsFile(directory, area)) !== bytes)
      throw new CommandError(`${itemsFile(directory, area)} is not as it was exported.`);
    // A table without a state has not been begun; with one, its items are ours. Accounts have no counter to contradict.
    if (tables[area]?.hasIds && state.tables[area] === undefined) await requireEmpty(target, area);
  }
  for (const area of tableNames) {
    const start = isDryRun ? newTable : (state.tables[area] ?? newTable);
    const save = (table: TableState) => {
      state.tables[area] = table;
      if (!isDryRun) writeState(file, state);
    };
    save(start);
    await importTable(target, itemsFile(directory, area), area, start, isDryRun, save);
  }
  return state;
}

async function importTable(
  { client, table, progress }: Tables,
  file: string,
  area: string,
  start: TableState,
  isDryRun: boolean,
  save: (state: TableState) => void,
): Promise<void> {
  let state = start;
  let items: Item[] = [];
  let bytes = 0;
  const flush = async () => {
    if (!isDryRun) await writeItems(client, table(area), items);
    state = { items: state.items + items.length, bytes: state.bytes + bytes, isComplete: false };
    items = [];
    bytes = 0;
    save(state);
  };
  for await (const line of linesOf(file, start.bytes)) {
    const item = fromLine(line);
    if (item === undefined)
      throw new CommandError(`${file}: line ${state.items + items.length + 1} of the items is no item.`);
    items.push(item);
    bytes += Buffer.byteLength(line) + 1;
    if (items.length < BATCHES * BATCH_SIZE) continue;
    await flush();
    progress(`${area}: ${state.items.toLocaleString("en")} items so far`);
  }
  await flush();
  save({ ...state, isComplete: true });
  progress(`${area}: ${state.items.toLocaleString("en")} items`);
}

/** The lines of a file. `node:readline` would also end them at U+2028 and U+2029, which JSON does not escape. */
async function* linesOf(file: string, start: number): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, { start, encoding: "utf8" })) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
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

async function requireEmpty({ client, table }: Tables, area: string): Promise<void> {
  const { Items: items = [] } = await client.send(new ScanCommand({ TableName: table(area), Limit: 1 }));
  if (items.length > 0)
    throw new CommandError(
      `The table ${table(area)} is not empty: import into a stage without records. Nothing was written.`,
    );
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? -1;
}
