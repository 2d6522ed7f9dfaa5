import { type DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { fromRawItem } from "../../lib/dynamodb/attribute-values.ts";
import type { StoredItem } from "../../lib/dynamodb/query.ts";
import { type FinalState, type Owned, recordAreas } from "./history.ts";

/** What no response has. */
export type StoredState = Pick<FinalState, "owners" | "ownerEntries" | "leftOver">;

export async function readStored(
  client: DynamoDBClient,
  findTable: (area: string) => string | undefined,
): Promise<StoredState> {
  const owners: Record<string, Owned[]> = {};
  const ownerEntries: Record<string, Owned[]> = {};
  const leftOver: string[] = [];
  for (const area of recordAreas) {
    const items = await scan(client, findTable(area) ?? "");
    const records = new Map(items.filter(isRecord).map((item) => [Number(item.sk), item]));
    owners[area] = [...records].map(([id, { owner }]) => ({ id, owner: owner as string | undefined }));
    ownerEntries[area] = items.flatMap(({ pk, sk }) => {
      const [kind, owner] = String(pk).split("#");
      return kind === "owner" ? [{ id: Number(sk), owner }] : [];
    });
    for (const { pk, sk } of items.filter((item) => isLeftOver(item, records)))
      leftOver.push(`${area}: ${pk} ${sk} is left`);
  }
  return { owners, ownerEntries, leftOver };
}

async function scan(client: DynamoDBClient, TableName: string): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    items.push(...Items.map(fromRawItem));
  return items;
}

function isRecord({ pk }: StoredItem): boolean {
  return /^\d+$/.test(String(pk));
}

/** A pending order, or what belongs to a record that does not exist, or does not have the tag. */
function isLeftOver({ pk, sk }: StoredItem, records: ReadonlyMap<number, StoredItem>): boolean {
  const [kind = "", name = ""] = String(pk).split("#");
  if (kind === "pending") return true;
  if (!["content", "owner", "tag", "text"].includes(kind)) return false;
  const record = records.get(Number(sk));
  return record === undefined || (kind === "tag" && !(record.tags as unknown[]).includes(name));
}
