import { chmodSync, mkdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type DynamoDBClient, GetItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { CommandError } from "../../cli/errors.ts";
import { tableNames, tables } from "../../functions/definitions.ts";
import { COUNTER_KEY } from "../../lib/repositories/records/id-allocation.ts";
import { type Item, toLine } from "./item-lines.ts";
import { itemsFile, newTable, readState, type State, type TableState, writeState } from "./state.ts";

const counterKey = { pk: { S: COUNTER_KEY.pk }, sk: { N: String(COUNTER_KEY.sk) } };

/** The tables that are exported or imported, and who is told how far it is. */
export interface Tables {
  readonly client: DynamoDBClient;
  readonly stackName: string;
  table(area: string): string;
  progress(text: string): void;
}

/**
 * Writes every item of every table to a directory, one file of JSON lines for each table, and how far it is. An export
 * that was interrupted continues there.
 *
 * Tables are read while they change. The counter of a table's ids is read last: it counts at least the records that
 * were read, and an import marks ids without a record as deleted. Orders are read before products, so that the stock of
 * a product is never higher than the exported orders allow.
 *
 * @returns what was exported
 * @throws {CommandError} if the directory has a complete export, or one of another stack
 */
export async function exportTables(source: Tables, directory: string): Promise<State> {
  mkdirSync(directory, { recursive: true });
  // Items include password hashes.
  chmodSync(directory, 0o700);
  const file = join(directory, "export.json");
  const { stackName } = source;
  const state = readState(file) ?? { stackName, startedAt: new Date().toISOString(), tables: {} };
  if (state.stackName !== stackName)
    throw new CommandError(`${directory} has an export of ${state.stackName}: choose another directory.`);
  if (tableNames.every((area) => state.tables[area]?.isComplete))
    throw new CommandError(`${directory} has a complete export: choose another directory.`);
  for (const area of tableNames)
    await exportTable(source, directory, area, state.tables[area] ?? newTable, (table) => {
      state.tables[area] = table;
      writeState(file, state);
    });
  return state;
}

async function exportTable(
  { client, table, progress }: Tables,
  directory: string,
  area: string,
  start: TableState,
  save: (state: TableState) => void,
): Promise<void> {
  if (start.isComplete) return;
  const TableName = table(area);
  const output = await open(itemsFile(directory, area), "a", 0o600);
  try {
    // Drops what was written after the state was saved.
    await output.truncate(start.bytes);
    let state = start;
    do {
      const page = await client.send(
        new ScanCommand({ TableName, ...(state.after && { ExclusiveStartKey: state.after as Item }) }),
      );
      const last = page.LastEvaluatedKey;
      const items = (page.Items ?? []).filter((item) => !(tables[area]?.hasIds && isCounter(item)));
      if (last === undefined && tables[area]?.hasIds) items.push(...(await readCounter(client, TableName)));
      const text = items.map(toLine).join("");
      await output.appendFile(text);
      await output.datasync();
      state = {
        items: state.items + items.length,
        bytes: state.bytes + Buffer.byteLength(text),
        ...(last && { after: last }),
        isComplete: last === undefined,
      };
      save(state);
      progress(`${area}: ${state.items.toLocaleString("en")} items${last ? " so far" : ""}`);
    } while (!state.isComplete);
  } finally {
    await output.close();
  }
}

function isCounter({ pk, sk }: Item): boolean {
  return pk?.S === counterKey.pk.S && sk?.N === counterKey.sk.N;
}

async function readCounter(client: DynamoDBClient, TableName: string): Promise<Item[]> {
  const { Item: item } = await client.send(
    new GetItemCommand({ TableName, Key: counterKey, ConsistentRead: true }),
  );
  return item ? [item] : [];
}
