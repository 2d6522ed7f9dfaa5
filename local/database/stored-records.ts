import type { LocalRun } from "../run.ts";
import { readItems } from "./all-data.ts";
import type { RecordPage, StoredRecord } from "./record-page.ts";
import { plainItem } from "./stored-value.ts";

const pageSize = 50;

/** A page of what a table contains: records by id, then what the service keeps besides. */
export async function readRecords(run: LocalRun, query: URLSearchParams): Promise<RecordPage> {
  const { tables } = run.model();
  const areas = tables.map(({ label }) => areaOf(label)).sort();
  const area = query.get("area") ?? areas[0] ?? "";
  const table = tables.find(({ label }) => areaOf(label) === area)?.request.TableName;
  const words = (query.get("search") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = (table === undefined ? [] : await readItems(run.engine, table))
    .map((stored) => recordOf(plainItem(stored)))
    .filter((record) => words.every((word) => matches(word, record)))
    .sort(compare);
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const page = Math.max(1, Math.min(Number(query.get("page")) || 1, pages));
  const items = found.slice((page - 1) * pageSize, page * pageSize);
  return { areas, area, items, page, pages, total: found.length };
}

function areaOf(label: string): string {
  return label
    .replace(/Table$/, "")
    .replaceAll(/(?<!^)[A-Z]/g, "-$&")
    .toLowerCase();
}

/** Partitions of records are numbered, those of counters, keys and the like have names (docs/adr/0003). */
function recordOf(item: StoredRecord["item"]): StoredRecord {
  return /^(\d+|.+#\d+)$/.test(String(item.pk)) ? { id: String(item.sk), item } : { item };
}

/** @param word an id, `field:text`, or a part of any text */
function matches(word: string, { id, item }: StoredRecord): boolean {
  if (/^\d+$/.test(word)) return id === word;
  const [, name, text = ""] = /^(\w+):(.*)$/.exec(word) ?? [];
  const value = name === "id" ? id : Object.entries(item).find(([each]) => each.toLowerCase() === name)?.[1];
  if (value === undefined) return JSON.stringify(item).toLowerCase().includes(word);
  return /^\d+$/.test(text) ? String(value) === text : JSON.stringify(value).toLowerCase().includes(text);
}

function compare(a: StoredRecord, b: StoredRecord): number {
  const key = ({ id, item }: StoredRecord) => id ?? String(item.pk);
  const internal = Number(a.id === undefined) - Number(b.id === undefined);
  return internal || key(a).localeCompare(key(b), "en", { numeric: true });
}
