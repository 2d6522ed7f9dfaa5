import { createHash } from "node:crypto";
import { type DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";

interface Compared {
  readonly area: string;
  readonly to: string;
  /** The names of both tables. */
  readonly restored: string;
  readonly used: string;
}

/** So many keys of each kind are named, the first ones. */
const NAMED = 10;

/** What differs between two tables, in lines. It reads both, and keeps 100 bytes of each item. */
export async function comparison(
  client: DynamoDBClient,
  { area, to, restored, used }: Compared,
): Promise<string> {
  const before = await digests(client, restored);
  const after = await digests(client, used);
  const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const kinds = Object.groupBy(
    keys.filter((key) => before.get(key) !== after.get(key)),
    (key) => (!after.has(key) ? "deleted" : before.has(key) ? "changed" : "created"),
  );
  const lists = Object.entries(kinds).map(
    ([kind, found]) => `\n          ${found.length} ${kind} since: ${found.slice(0, NAMED).join(", ")}`,
  );
  return `${area.padEnd(9)} ${before.size} items at ${to}, ${after.size} now${lists.join("")}`;
}

async function digests(client: DynamoDBClient, TableName: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    for (const item of Items) {
      const [pk = "", sk = ""] = [item.pk, item.sk].map((value) => value?.S ?? value?.N);
      found.set(`${pk}/${sk}`, createHash("sha1").update(JSON.stringify(item, sorted)).digest("base64"));
    }
  return found;
}

/** DynamoDB returns attributes in any order. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
