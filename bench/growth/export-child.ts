/** Exports tables. Arguments: the engine's URL, the tables' names by area as JSON, and the directory to write. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { exportTables } from "../../ops/backup/export-tables.ts";

export interface Exported {
  readonly items: number;
  readonly seconds: number;
  /** The highest resident memory of the process. */
  readonly peakMb: number;
}

const [, , endpoint = "", names = "{}", directory = ""] = process.argv;
const rawDynamodb = new DynamoDBClient({
  endpoint,
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
});
const tables: Readonly<Record<string, string>> = JSON.parse(names);
const startedAt = performance.now();
const items = await exportTables({ rawDynamodb, table: (area) => tables[area] ?? "" }, directory, false);
const exported: Exported = {
  items,
  seconds: (performance.now() - startedAt) / 1_000,
  peakMb: process.resourceUsage().maxRSS / 1_000,
};
process.send?.(exported);
process.disconnect();
