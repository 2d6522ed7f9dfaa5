import { callDynamodb, type EngineAddress } from "../database/dynamodb-call.ts";
import type { LocalRun } from "../run.ts";
import type { StoredRecord } from "./model.ts";
import { maskSecret } from "./shown-body.ts";
import { plainItem } from "./shown-call.ts";

/** The records of an area, and what the service keeps besides, as JSON. */
export async function readRecords(run: LocalRun, query: URLSearchParams): Promise<string> {
  const tables = run.model().tables.map(({ label, request }) => [areaOf(label), request.TableName] as const);
  const areas = tables.map(([area]) => area).sort();
  const area = query.get("area") ?? areas[0] ?? "";
  const items = await readItems(run.engine, Object.fromEntries(tables)[area] ?? area);
  return JSON.stringify({ areas, area, ...recordsOf(area, items.map(plainItem)) }, maskSecret);
}

async function readItems(engine: EngineAddress, TableName: string): Promise<object[]> {
  const items: object[] = [];
  let start: unknown;
  do {
    const after = start ? { ExclusiveStartKey: start } : {};
    const page = await callDynamodb(engine, "Scan", { TableName, ConsistentRead: true, ...after });
    items.push(...(page.Items as object[]));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

/** Separates an area's records, with their long texts, from what the service keeps besides (docs/adr/0003). */
export function recordsOf(area: string, items: readonly StoredRecord["item"][]) {
  const isRecord = ({ pk }: StoredRecord["item"]) => /^\d+$/.test(String(pk).replace(`${area}#`, ""));
  const isText = ({ pk, sk }: StoredRecord["item"]) => pk === `content#${sk}` || pk === `text#${sk}`;
  const texts = new Map(items.filter(isText).map((item) => [item.sk, item]));
  const records = items.filter(isRecord).map((item) => ({ ...texts.get(item.sk), ...item }));
  return {
    records: records.map((item): StoredRecord => ({ id: String(item.sk), item })),
    internal: items.filter((item) => !isRecord(item) && !isText(item)),
  };
}

/** Of `RoomBookingsTable`: `room-bookings`. */
function areaOf(label: string): string {
  const name = label.replace(/Table$/, "");
  return name.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase();
}
