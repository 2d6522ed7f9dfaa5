import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { logDamage } from "../../lib/log/log.ts";
import {
  type IdRepairOptions,
  type IdRepairResult,
  type IdTable,
  repairIds,
} from "../../lib/records/id-repair.ts";
import * as areas from "../areas.ts";
import type { AreaModule } from "../define-area.ts";

interface AreaTable extends IdTable {
  readonly area: string;
}

const modules: Readonly<Record<string, AreaModule>> = areas;

interface RepairOptions extends IdRepairOptions<AreaTable> {
  readonly abandonedAfterMs?: number;
}

export type RepairResult = Awaited<ReturnType<typeof repair>>;

/**
 * Repairs ids without a record (docs/adr/0003), completes abandoned orders, and finds damaged records.
 * @param tableOf finds the table with a name; names without one are skipped
 * @returns what was repaired, or would have been in a dry run
 * @throws ApiError `ServiceUnavailable`; what was repaired until then stays repaired
 */
export async function repair(
  client: DynamoDBClient,
  tablesWithIds: readonly string[],
  tableOf: (name: string) => string | undefined,
  options: RepairOptions,
) {
  const idTables = tablesWithIds.flatMap((area): AreaTable[] => {
    const name = tableOf(area);
    return name === undefined ? [] : [{ area, name, stored: modules[area]?.stored }];
  });
  const tables = await repairIds(client, idTables, options);
  let completed = 0;
  for (const area of Object.values(modules))
    completed += (await area.repair?.(client, tableOf, options)) ?? 0;
  return { tables, completed };
}

/** How many things were repaired in a table, or would have been. */
export function repairsOf({ unmarked, mismarked, miscounted, entries }: IdRepairResult): number {
  return unmarked + mismarked + miscounted + entries;
}

/** How many damaged records of a table are named; all are counted. */
const MAX_NAMED = 10;

/** Repairs what came since its last run, and logs what it found. @throws ApiError `ServiceUnavailable` */
export async function repairAndReport(
  client: DynamoDBClient,
  tablesWithIds: readonly string[],
  tableOf: (name: string) => string,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  const { tables, completed } = await repair(client, tablesWithIds, tableOf, { wait, isIncremental: true });
  const found = tables.filter((table) => repairsOf(table) + table.damaged.length > 0);
  const damages = found.reduce((sum, table) => sum + repairsOf(table) + table.damaged.length, completed);
  if (damages === 0) return;
  const reported = found.map(({ table: { area }, last: _, damaged, ...repairs }) => ({
    area,
    ...repairs,
    damagedRecords: damaged.length,
    damaged: damaged.slice(0, MAX_NAMED),
  }));
  logDamage("repaired", damages, { tables: reported, completed });
}
