import { type DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { tablesWithIds } from "../../functions/definitions.ts";
import { accountKey, accountPartitions } from "../../lib/repositories/accounts/account-items.ts";
import { textKey } from "../../lib/repositories/items.ts";
import { contentKey, tagKeys } from "../../lib/repositories/posts/post-items.ts";
import { bitmapKey, COUNTER_KEY, deletedCountKey } from "../../lib/repositories/records/id-allocation.ts";
import { blockOf, blocksOf, groupOf, recordKey } from "../../lib/repositories/records/id-blocks.ts";
import { tableVariable } from "../../lib/settings.ts";
import { fill } from "../support/database/database.ts";
import { itemSize } from "../support/database/item-size.ts";
import { MAX_FILLED } from "./sizes.ts";

/** The author of the ten newest posts and the buyer of the ten newest orders. */
export const SOMEBODY = 7;
/** The category of the ten newest products. */
export const NEWEST = "newest";

const time = "2026-01-01T00:00:00.000Z";
/** So short that a block of 1,000 fits into the 1 MB of a query's response. */
const content = "x".repeat(900);

type Item = Record<string, unknown>;

/** Tables with a request that reads every record. */
const tablesReadWhole: readonly string[] = ["todos", "users", "products", "orders", "posts"];

/** The items of one record by table; `isNewest` for the last ten. */
const recordsOf: Readonly<Record<string, (id: number, isNewest: boolean) => Item[]>> = {
  todos: (id) => [{ ...recordKey(id), title: `Todo number ${id}`, completed: false }],
  users: (id) => [{ ...recordKey(id), name: `User ${id}`, email: `user${id}@example.com`, age: 30 }],
  items: (id) => [
    { ...recordKey(id), name: `"Item ${id}"` },
    { ...textKey(id), text: JSON.stringify({ name: `Item ${id}`, notes: content }) },
  ],
  orders: (id, isNewest) => [
    {
      ...recordKey(id),
      user_id: isNewest ? SOMEBODY : 1,
      items: [{ product_id: 1, quantity: 2 }],
      total: 20,
      status: isNewest ? "paid" : "pending",
      created_at: time,
      updated_at: time,
    },
  ],
  products: (id, isNewest) => [
    {
      ...recordKey(id),
      name: `Product ${id}`,
      description: "A product as others are: nothing is said of it that fills more than this line.",
      price: 10,
      stock: 1_000_000,
      category: isNewest ? NEWEST : "others",
    },
  ],
  posts: (id, isNewest) => {
    const version = `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`;
    const summary = {
      author_id: isNewest ? SOMEBODY : 1,
      title: `Post number ${id}`,
      status: "published",
      tags: isNewest ? [NEWEST] : ["others"],
      created_at: time,
      updated_at: time,
      view_count: 0,
      viewId: "",
    };
    return [
      { ...recordKey(id), ...summary, version },
      { ...contentKey(id), content, version },
      // Only posts with the newest tag are listed by it.
      ...(isNewest ? tagKeys(id, summary.tags) : []),
    ];
  },
};

/** An account, without the item that reserves its email: no request reads it. */
function account(number: number): Item {
  const username = `account${number}`;
  const email = `${username}@example.com`;
  const passwordHash = "x".repeat(96);
  return { ...accountKey(username), username, email, role: "user", passwordHash, age: null, website: null };
}

/**
 * The stored size of a table's accounts.
 *
 * @param table the accounts' table
 * @returns bytes
 */
export async function accountBytes(client: DynamoDBDocumentClient, table: string): Promise<number> {
  let bytes = 0;
  for await (const { Items: items = [] } of paginateScan(
    { client },
    { TableName: table, ConsistentRead: true },
  ))
    for (const item of items) if (accountPartitions.includes(item.pk)) bytes += itemSize(item);
  return bytes;
}

/**
 * Fills a stack's tables with records of each kind, as if they had been created one by one. Existing items are
 * overwritten. Only what the measured requests read is written: where none reads the whole table, the first and the
 * last thousand records, and of more than `MAX_FILLED` no accounts.
 *
 * @param tables the tables' names, by the functions' environment variables
 * @param count records of each kind
 */
export async function fillTables(
  client: DynamoDBDocumentClient,
  tables: Readonly<Record<string, string>>,
  count: number,
): Promise<void> {
  const isFilled = count <= MAX_FILLED;
  // The newest of a smaller table are overwritten as well: their status, author and category were other ones.
  const isNear = (id: number) => [1, MAX_FILLED, count].some((place) => Math.abs(place - id) < 1_000);
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const nearNumbers = numbers.filter(isNear);
  for (const table of tablesWithIds) {
    const blocks = Array.from({ length: blockOf(count) + 1 }, (_, block) => block);
    const nothingDeleted = blocks.flatMap((block) => [
      bitmapKey(block),
      ...(block === blocksOf(groupOf(block), count)[0] ? [{ ...deletedCountKey(groupOf(block)), n: 0 }] : []),
    ]);
    const ids = isFilled && tablesReadWhole.includes(table) ? numbers : nearNumbers;
    const items = ids.flatMap((id) => recordsOf[table]?.(id, id > count - 10) ?? []);
    const name = tables[tableVariable(table)] ?? "";
    await fill(client, name, [{ ...COUNTER_KEY, last: count }, ...nothingDeleted, ...items]);
  }
  if (isFilled) await fill(client, tables[tableVariable("accounts")] ?? "", numbers.map(account));
}
