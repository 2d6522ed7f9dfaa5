import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { contentKey, tagKeys } from "../../lib/repositories/posts/post-items.ts";
import { COUNTER_KEY } from "../../lib/repositories/records/id-allocation.ts";
import { recordKey } from "../../lib/repositories/records/id-blocks.ts";
import { toRawItem } from "../../test/support/database/raw-item.ts";

/** The tables that the benchmark fills. */
export const filledTables = ["orders", "posts", "products", "todos", "users"] as const;
export type FilledTable = (typeof filledTables)[number];

type Item = Readonly<Record<string, unknown>>;

const time = "2026-01-01T00:00:00.000Z";
const content = "The quick brown fox jumps over the lazy dog. ".repeat(23);
const orderStatuses = ["pending", "paid", "shipped", "delivered", "cancelled"];
const postStatuses = ["draft", "published", "archived"];

/** The stored items of a record. One in a thousand has `rare` in its name or title. */
const itemsOf: Readonly<Record<FilledTable, (id: number) => readonly Item[]>> = {
  todos: (id) => [{ ...recordKey(id), title: `Todo number ${id}`, completed: id % 2 === 0 }],
  users: (id) => [
    {
      ...recordKey(id),
      name: `${id % 1_000 === 0 ? "Rare" : "User"} ${id}`,
      email: `user${id}@example.com`,
      age: id % 90,
    },
  ],
  orders: (id) => [
    {
      ...recordKey(id),
      user_id: id % 1_000,
      items: [{ product_id: 1, quantity: 2 }],
      total: 20,
      status: orderStatuses[id % 5],
      created_at: time,
      updated_at: time,
    },
  ],
  products: (id) => [
    {
      ...recordKey(id),
      name: `Product ${id}`,
      description: "A product like any other, with a description that is about as long as one line",
      price: 1 + (id % 100),
      stock: id % 3,
      category: `category ${id % 1_000}`,
    },
  ],
  posts: (id) => {
    const version = `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`;
    const tags = [`tag ${id % 1_000}`, id % 2 === 0 ? "even" : "odd"];
    const summary = {
      author_id: id % 100,
      title: `${id % 1_000 === 0 ? "Rare" : "Post"} number ${id}`,
      status: postStatuses[id % 3],
      tags,
      created_at: time,
      updated_at: time,
      view_count: (id * 7_919) % 10_007,
      version,
      viewId: "",
    };
    return [{ ...recordKey(id), ...summary }, { ...contentKey(id), content, version }, ...tagKeys(id, tags)];
  },
};

/** How many records a table of the benchmark has: posts and products are a fifth. */
export function countOf(table: FilledTable, size: number): number {
  return table === "posts" || table === "products" ? Math.ceil(size / 5) : size;
}

/** Writes the items of a table as DynamoDB exports them, which the engine imports. */
export async function writeExport(
  directory: string,
  table: FilledTable,
  tableName: string,
  size: number,
): Promise<void> {
  const folder = join(directory, tableName, "data");
  await mkdir(folder, { recursive: true });
  const lines = Readable.from(exportLines(table, countOf(table, size)));
  await pipeline(lines, createGzip({ level: 1 }), createWriteStream(join(folder, "items.json.gz")));
}

/** Lines of about 1,000 records each. */
function* exportLines(table: FilledTable, count: number): Generator<string> {
  yield lineOf({ ...COUNTER_KEY, last: count });
  for (let first = 1; first <= count; first += 1_000) {
    let lines = "";
    for (let id = first; id < first + 1_000 && id <= count; id += 1)
      for (const item of itemsOf[table](id)) lines += lineOf(item);
    yield lines;
  }
}

function lineOf(item: Item): string {
  return `${JSON.stringify({ Item: toRawItem(item) })}\n`;
}
