import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createDirectory } from "../../cli/create-directory.ts";
import { definitions, tables } from "../../functions/definitions.ts";
import { toRawItem } from "../../lib/dynamodb/attribute-values.ts";
import { COUNTER_KEY } from "../../lib/records/id-allocation.ts";
import type { ExampleRecord } from "../../test/support/measure-area.ts";
import { exampleRecords, growthRecords, measurements } from "../costs/measurements.ts";

/** The tables that the benchmark fills. */
export const filledTables = Object.keys(exampleRecords);

/** The table of an area that the benchmark fills, if any. */
export function filledTableOf(area: string): string | undefined {
  return Object.keys(definitions[area]?.tables ?? {}).find((table) => filledTables.includes(table));
}

/** How many records a table of the benchmark has. */
export function countOf(table: string, size: number): number {
  const area = Object.keys(definitions).find((name) => filledTableOf(name) === table) ?? "";
  return Math.ceil(size * (measurements[area]?.growthShare ?? 1));
}

/** Writes the items of a table as DynamoDB exports them, which the engine imports. */
export async function writeExport(
  directory: string,
  table: string,
  tableName: string,
  size: number,
): Promise<void> {
  const folder = join(directory, tableName, "data");
  createDirectory(folder);
  const recordOf = growthRecords[table] ?? exampleRecords[table];
  const lines = Readable.from(exportLines(table, countOf(table, size), recordOf));
  await pipeline(lines, createGzip({ level: 1 }), createWriteStream(join(folder, "items.json.gz")));
}

/** Lines of about 1,000 records each. */
function* exportLines(table: string, count: number, recordOf: ExampleRecord | undefined): Generator<string> {
  if (tables[table]?.hasIds) yield lineOf({ ...COUNTER_KEY, last: count });
  for (let first = 1; first <= count; first += 1_000) {
    let lines = "";
    for (let id = first; id < first + 1_000 && id <= count; id += 1)
      for (const item of recordOf?.(id, count) ?? []) lines += lineOf(item);
    yield lines;
  }
}

function lineOf(item: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ Item: toRawItem(item) })}\n`;
}
