import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { exampleRecords } from "../../bench/costs/measurements.ts";
import { tables } from "../../functions/definitions.ts";
import { bitmapKey, COUNTER_KEY, deletedCountKey } from "../../lib/records/id-allocation.ts";
import { BLOCK_SIZE, blockOf, GROUP_SIZE, groupOf } from "../../lib/records/id-blocks.ts";
import { tableVariable } from "../../lib/settings.ts";
import { fill } from "../support/database/database.ts";
import { MAX_FILLED } from "./sizes.ts";

/** Writes example records. A table of more than `MAX_FILLED` gets the first and the last thousand, and none without ids. */
export async function fillTables(
  client: DynamoDBDocumentClient,
  environment: Readonly<Record<string, string>>,
  count: number,
): Promise<void> {
  const isFilled = count <= MAX_FILLED;
  // The newest of a smaller table have other authors and categories, for example.
  const isWritten = (id: number) =>
    isFilled || [1, MAX_FILLED, count].some((place) => Math.abs(place - id) < 1_000);
  const ids = numbersTo(count).filter(isWritten);
  const blocks = [0, ...numbersTo(blockOf(count))];
  const nothingDeleted = blocks.flatMap((block) => [
    bitmapKey(block),
    ...((block * BLOCK_SIZE) % GROUP_SIZE === 0 ? [{ ...deletedCountKey(groupOf(block)), n: 0 }] : []),
  ]);
  const allocation = [{ ...COUNTER_KEY, last: count }, ...nothingDeleted];
  for (const [table, recordOf] of Object.entries(exampleRecords)) {
    const hasIds = tables[table]?.hasIds ?? false;
    const records = hasIds || isFilled ? ids.flatMap((id) => recordOf(id, count)) : [];
    await fill(client, environment[tableVariable(table)] ?? "", [...(hasIds ? allocation : []), ...records]);
  }
}

function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, i) => i + 1);
}
