import { readItems } from "../database/all-data.ts";
import { plainItem } from "../database/plain-value.ts";
import { recordsOf } from "../database/records-of.ts";
import type { LocalRun } from "../run.ts";
import { maskSecret } from "./shown-body.ts";

/** The records of an area, and what the service keeps besides, as JSON. */
export async function readRecords(run: LocalRun, query: URLSearchParams): Promise<string> {
  const tables = run.model().tables.map(({ label, request }) => [areaOf(label), request.TableName] as const);
  const areas = tables.map(([area]) => area).sort();
  const area = query.get("area") ?? areas[0] ?? "";
  const items = await readItems(run.engine, Object.fromEntries(tables)[area] ?? area);
  return JSON.stringify({ areas, area, ...recordsOf(area, items.map(plainItem)) }, maskSecret);
}

/** Of `RoomBookingsTable`: `room-bookings`. */
function areaOf(label: string): string {
  const name = label.replace(/Table$/, "");
  return name.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase();
}
