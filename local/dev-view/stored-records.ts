import { readItems } from "../database/all-data.ts";
import type { LocalRun } from "../run.ts";
import type { StoredRecord } from "./model.ts";
import { maskSecret } from "./shown-body.ts";

const pageSize = 50;

/** A page of what a table contains, as JSON: records by id, then what the service keeps besides. */
export async function readRecords(run: LocalRun, query: URLSearchParams): Promise<string> {
  const tables = run.model().tables.map(({ label, request }) => [areaOf(label), request.TableName] as const);
  const areas = tables.map(([area]) => area).sort();
  const area = query.get("area") ?? areas[0] ?? "";
  const words = (query.get("search") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = (await readItems(run.engine, Object.fromEntries(tables)[area] ?? area))
    .map((stored) => recordOf(plainItem(stored)))
    .filter((record) => words.every((word) => matches(word, record)))
    .sort((a, b) => sortKey(a).localeCompare(sortKey(b), "en", { numeric: true }));
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const page = Math.max(1, Math.min(Number(query.get("page")) || 1, pages));
  const items = found.slice((page - 1) * pageSize, page * pageSize);
  return JSON.stringify({ areas, area, items, page, pages, total: found.length }, maskSecret);
}

/** Of `RoomBookingsTable`: `room-bookings`. */
function areaOf(label: string): string {
  const name = label.replace(/Table$/, "");
  return name.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase();
}

/** Partitions of records are numbered, those of counters, keys and the like have names (docs/adr/0003). */
function recordOf(item: StoredRecord["item"]): StoredRecord {
  return /^(\d+|.+#\d+)$/.test(String(item.pk)) ? { id: String(item.sk), item } : { item };
}

const sortKey = ({ id, item }: StoredRecord) => (id === undefined ? `1 ${item.pk}` : `0 ${id}`);

/** @param word an id, `field:text`, or a part of any text */
function matches(word: string, { id, item }: StoredRecord): boolean {
  if (/^\d+$/.test(word)) return id === word;
  const [, name, text = ""] = /^(\w+):(.*)$/.exec(word) ?? [];
  const value = Object.entries({ ...item, id }).find(([each]) => each.toLowerCase() === name)?.[1];
  if (value === undefined) return JSON.stringify(item).toLowerCase().includes(word);
  return /^\d+$/.test(text) ? String(value) === text : JSON.stringify(value).toLowerCase().includes(text);
}

/** An attribute's value without its types. A number that JavaScript would round stays a text. */
export function plainValue(value: unknown): unknown {
  const [[type, content] = []] = Object.entries(Object(value));
  if (type === "N") return Math.abs(Number(content)) <= Number.MAX_SAFE_INTEGER ? Number(content) : content;
  if (type === "L") return (content as unknown[]).map(plainValue);
  return type === "M" ? plainItem(Object(content)) : content;
}

function plainItem(item: object): Record<string, unknown> {
  const fields = Object.entries(item).map(([name, value]) => [name, plainValue(value)] as const);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
