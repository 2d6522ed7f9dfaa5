import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from "@aws-sdk/client-dynamodb";
import { CommandError } from "../../cli/errors.ts";
import { progress } from "../../cli/progress.ts";
import { tableNames, tables } from "../../functions/definitions.ts";
import { forEachOf } from "../for-each-of.ts";
import { CLAIMED, claimStage, type ImportClaim } from "./import-claim.ts";
import { fromLine, type Item, linesOf } from "./item-lines.ts";
import { newTable, openState, readState, sha256Of, type TableState } from "./state.ts";
import { countItems, idOfTables, type Tables } from "./tables.ts";

/** DynamoDB's limit for one batch. Its limit of 16 MB is more than 25 items of 400 KB. */
const BATCH_SIZE = 25;
/** So many batches are written at the same time, and then the state. */
const BATCHES = 8;
const MAX_BACKOFF_MS = 5_000;

interface TableImport {
  readonly area: string;
  readonly file: string;
  /** The number of items that DynamoDB does not expire. */
  readonly permanent: number;
  readonly start: TableState;
}

/**
 * How far an import is stands in the export's directory, under an id of the tables: there it continues.
 * Afterwards `repair` has to mark ids without a record as deleted.
 *
 * @returns how many items were missing; without `isDryRun` they are imported
 * @throws {CommandError} if the export is incomplete or was changed, or a table has other records
 */
export async function importTables(target: Tables, directory: string, isDryRun: boolean): Promise<number> {
  const exported = readState(join(directory, "export.json"));
  if (exported === undefined) throw new CommandError(`${directory} has no export.`);
  const incomplete = tableNames.find((area) => !exported.tables[area]?.isComplete);
  if (incomplete !== undefined)
    throw new CommandError(
      `The export in ${directory} is incomplete: continue it with npm run export. It ends in ${incomplete}.`,
    );
  const database = await idOfTables(target);
  for (const area of tableNames) await checkFile(fileOf(directory, area), exported.tables[area] ?? newTable);
  const { state, save } = openState(join(directory, `import-${database}.json`), database);
  const imports: TableImport[] = [];
  let missing = 0;
  if (!isDryRun) save();
  const claim = isDryRun ? undefined : await claimStage(target, state.id);
  try {
    for (const area of tableNames) {
      const { items, permanent } = exported.tables[area] ?? newTable;
      const claims = claim && area === CLAIMED ? 1 : 0;
      const start = await checkTable(target, area, items, state.tables[area], claims);
      imports.push({ area, file: fileOf(directory, area), permanent, start });
      missing += items - start.items;
    }
  } catch (error) {
    await claim?.release();
    throw error;
  }
  if (claim === undefined) return missing;
  const failed = "Not imported (repeat the command)";
  await forEachOf(
    imports,
    failed,
    (each) => importTable(target, each, save, claim),
    ({ area }) => area,
  );
  await claim.release();
  return missing;
}

function fileOf(directory: string, area: string): string {
  return join(directory, `${area}.jsonl`);
}

async function checkFile(file: string, { bytes, sha256 }: TableState): Promise<void> {
  const isSame = statSync(file, { throwIfNoEntry: false })?.size === bytes;
  if (!isSame || (await sha256Of(file)) !== sha256)
    throw new CommandError(`${file} is not as it was exported.`);
}

/** @returns where the import continues. @throws {CommandError} if the table has records that are not its */
async function checkTable(
  target: Tables,
  area: string,
  items: number,
  earlier: TableState | undefined,
  claims: number,
): Promise<TableState> {
  const found = (await countItems(target, area)).all - claims;
  // The table may have been emptied since.
  const start = found === 0 || earlier === undefined ? newTable : earlier;
  progress(`${area}: ${items} items in the export, ${start.items} imported before, ${found} in the table`);
  // Accounts have no ids that could contradict.
  if (tables[area]?.hasIds && found > 0 && earlier === undefined)
    throw new CommandError(
      `The table ${target.table(area)} is not empty: import into a stage without records. Nothing was written.`,
    );
  return start;
}

/** @throws {CommandError} if the table has another number of items afterwards */
async function importTable(
  target: Tables,
  { area, file, permanent, start }: TableImport,
  save: (area: string, state: TableState) => void,
  claim: ImportClaim,
): Promise<void> {
  if (start.isComplete) return;
  // From now on the items in the table are the import's.
  save(area, start);
  let state = start;
  let items: Item[] = [];
  let bytes = 0;
  const flush = async () => {
    if (items.length > 0) await claim.renew();
    await writeItems(target.rawDynamodb, target.table(area), items);
    state = { ...state, items: state.items + items.length, bytes: state.bytes + bytes };
    items = [];
    bytes = 0;
    save(area, state);
    progress(`${area}: ${state.items.toLocaleString("en")} items`);
  };
  for await (const line of linesOf(file, start.bytes)) {
    items.push(fromLine(line));
    bytes += line.length + 1;
    if (items.length === BATCHES * BATCH_SIZE) await flush();
  }
  await flush();
  const { permanent: found } = await countItems(target, area);
  if (found < permanent || (found > permanent && tables[area]?.hasIds))
    throw new CommandError(
      `The table ${target.table(area)} has ${found} items after the import instead of ${permanent}: something else ` +
        "has changed it. Import into other, empty tables.",
    );
  save(area, { ...state, isComplete: true });
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
