import { randomBytes } from "node:crypto";
import { type DynamoDBDocumentClient, TransactGetCommand } from "@aws-sdk/lib-dynamodb";
import type { ReadBudget } from "../../domain/read-budget.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { mapConcurrently } from "../dynamodb/concurrency.ts";
import type { Condition } from "../dynamodb/expressions.ts";
import { itemSize } from "../dynamodb/item-size.ts";
import type { QueryPage, StoredItem } from "../dynamodb/query.ts";
import type { TransactionItem } from "../dynamodb/transaction.ts";
import { recordKey } from "./id-blocks.ts";

/*
 * A partition key takes 1,000 write units a second, and consecutive ids share one. So a record of more than 1 KB is
 * stored as two items, written in one transaction: the head, in the id block, and the body, under a key of its own,
 * with the large fields. Both have the same version in the attribute `body`. Smaller records have no body.
 */

/** The size up to which a record has no body: one write unit, or two in a transaction. */
export const MAX_HEAD_BYTES = 1_024;
/** Bodies that are read together for a list, about as much as one response of a query. */
const MAX_BODY_BYTES_READ = 1_024 * 1_024;

/** The fields that may be in the body. */
export interface BodyFields {
  /** Those that always are. */
  readonly always?: readonly string[];
  /** Those that are if the head would be too large: as many as necessary, the first ones first. */
  readonly large?: readonly string[];
}

/** The items of one record. */
export interface DividedItem {
  readonly head: StoredItem;
  readonly body?: StoredItem;
}

export const hasBody: Condition = { ConditionExpression: "attribute_exists(body)" };
export const hasNoBody: Condition = { ConditionExpression: "attribute_not_exists(body)" };

/** The key of a record's body. */
export function bodyKey(id: number): { pk: string; sk: number } {
  return { pk: `body#${id}`, sk: id };
}

/**
 * Divides a record into the items that are stored.
 *
 * @param item with its key; its sort key is the id
 */
export function divide(item: StoredItem, { always = [], large = [] }: BodyFields): DividedItem {
  const { body: _, bodyBytes: __, ...attributes } = item;
  const head: Record<string, unknown> = attributes;
  const moved: Record<string, unknown> = {};
  const version = randomBytes(6).toString("base64url");
  const move = (name: string) => {
    if (!(name in head)) return;
    moved[name] = head[name];
    delete head[name];
  };
  always.forEach(move);
  const bookkeeping = { body: version, bodyBytes: Number.MAX_SAFE_INTEGER };
  for (const name of large)
    if (itemSize({ ...head, ...(Object.keys(moved).length > 0 && bookkeeping) }) > MAX_HEAD_BYTES) move(name);
  if (Object.keys(moved).length === 0) return { head };
  return {
    head: { ...head, body: version, bodyBytes: itemSize(moved) },
    body: { ...bodyKey(Number(item.sk)), body: version, ...moved },
  };
}

/** Puts the body of a record, or deletes it if the record has none any more. */
export function writeBody(
  table: string,
  id: number,
  { body }: DividedItem,
  hadBody: boolean,
): TransactionItem[] {
  if (body) return [{ Put: { TableName: table, Item: body } }];
  return hadBody ? [{ Delete: { TableName: table, Key: bodyKey(id) } }] : [];
}

/** Joins a head with its body. Undefined if they were read before and after a change. */
export function joinBody(head: StoredItem, body: StoredItem | undefined): StoredItem | undefined {
  if (head.body === undefined) return head;
  return body?.body === head.body ? { ...body, ...head } : undefined;
}

/**
 * Joins a head with its body, which were read at the same moment. Their versions only differ in a restored backup, in
 * which items that were written together can have different ages. A head without its body does not count then.
 */
export function joinConsistent(head: StoredItem, body: StoredItem | undefined): StoredItem | undefined {
  return head.body === undefined ? head : body && { ...body, ...head };
}

/**
 * Joins heads with their bodies. Without bodies no call; otherwise one per hundred, and one for each record that was
 * changed since its head was read.
 *
 * @returns the joined items, in the same order; those that have been deleted in between are left out
 * @throws ReadBudgetExceeded when the budget is spent
 * @throws ApiError `ServiceUnavailable`
 */
export async function joinBodies(
  client: DynamoDBDocumentClient,
  table: string,
  heads: readonly StoredItem[],
  budget?: ReadBudget,
): Promise<StoredItem[]> {
  const keys = heads.flatMap(({ sk, body }) => (body === undefined ? [] : [bodyKey(Number(sk))]));
  if (keys.length === 0) return [...heads];
  const bodies = await batchGet(client, table, keys, { budget });
  const byId = new Map(bodies.map((body) => [body.sk, body]));
  const joined = await mapConcurrently(
    heads,
    async (head) => joinBody(head, byId.get(head.sk)) ?? readJoined(client, table, head),
  );
  return joined.filter((item) => item !== undefined);
}

/** Reads head and body of a record at the same moment, at twice the price. A projected head may lack its partition. */
async function readJoined(
  client: DynamoDBDocumentClient,
  table: string,
  { pk, sk }: StoredItem,
): Promise<StoredItem | undefined> {
  const keys = [{ pk: pk ?? recordKey(Number(sk)).pk, sk }, bodyKey(Number(sk))];
  const { Responses: [head, body] = [] } = await client.send(
    new TransactGetCommand({ TransactItems: keys.map((Key) => ({ Get: { TableName: table, Key } })) }),
  );
  return head?.Item && joinConsistent(head.Item, body?.Item);
}

/** Joins the heads of a query with their bodies: of about 1 MB at a time. */
export async function* joinPages(
  client: DynamoDBDocumentClient,
  table: string,
  pages: AsyncIterable<QueryPage<StoredItem>>,
  budget?: ReadBudget,
): AsyncGenerator<QueryPage<StoredItem>> {
  for await (const page of pages) {
    const sizes = page.items.map(({ bodyBytes }) => Number(bodyBytes ?? 0));
    if (Math.max(0, ...sizes) === 0) {
      yield page;
      continue;
    }
    for (let from = 0, to = 0; from < sizes.length; from = to) {
      let bytes = 0;
      while (to < sizes.length && (to === from || bytes + (sizes[to] ?? 0) <= MAX_BODY_BYTES_READ)) {
        bytes += sizes[to] ?? 0;
        to += 1;
      }
      const items = await joinBodies(client, table, page.items.slice(from, to), budget);
      const readTo = to < sizes.length ? page.items[to - 1]?.sk : page.readTo;
      yield { items, bytes: bytes + (page.bytes * (to - from)) / sizes.length, readTo };
    }
  }
}
