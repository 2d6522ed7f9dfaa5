import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { cancellationCodes } from "../dynamodb/client.ts";
import { mapConcurrently } from "../dynamodb/concurrency.ts";
import { queryPages, type StoredItem } from "../dynamodb/query.ts";
import { blockKey, IdAllocation } from "../records/id-allocation.ts";
import { blockOf, compareBlock, type WordChange } from "../records/id-blocks.ts";

/** Far beyond the 20 s that a function lives: who drew an id before that has put its record, or never will. */
export const CREATIONS_END_AFTER_MS = 60_000;

/** A table whose books are recounted. */
export interface IdTable {
  readonly name: string;
  /** A local index that holds every record: where the records are large, it is cheaper to read. */
  readonly index?: string;
}

/** What a recount has found in one table, and mended unless it was told not to. */
export interface IdRepairResult<T extends IdTable = IdTable> {
  readonly table: T;
  /** The ids up to this one were compared. */
  readonly last: number;
  /** How many ids named no record and were not in the books. */
  readonly entered: number;
  /** How many ids were in the books although their record exists. */
  readonly cleared: number;
}

export interface IdRepairOptions<T extends IdTable> {
  /** Waits a number of milliseconds. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Only compares. */
  readonly isDryRun?: boolean;
  /** Hears of each table when it is done. */
  readonly onTable?: (recounted: IdRepairResult<T>) => void;
}

/**
 * Compares the books with the records and mends them. A crash between the counter and the put, or a long
 * outage, leaves an id that names nothing and is not in the books (docs/adr/0003); totals and pages are wrong by
 * one then.
 *
 * It is safe beside live traffic, and as often as wanted:
 *
 * - It looks only at the ids that were drawn before it began, after everybody who drew one has ended. `Ids.fence`
 *   keeps these ids from being given back and drawn again meanwhile.
 * - A block's entry is read before its records, and replaced only if it still is what was read: a record that
 *   is deleted in between changes it, and then both are read again.
 *
 * Every record is read once, a block at a time.
 *
 * @param client from `documentClient`
 * @param tables tables of records under ids
 * @returns what was found in each
 * @throws ApiError `ServiceUnavailable`; what was mended by then is right, and the rest as it was
 */
export async function repairIds<T extends IdTable>(
  client: DynamoDBDocumentClient,
  tables: readonly T[],
  { wait, isDryRun = false, onTable }: IdRepairOptions<T>,
): Promise<IdRepairResult<T>[]> {
  const begun = await mapConcurrently(tables, async (table) => {
    const ids = new IdAllocation(client, table.name);
    return { table, last: isDryRun ? (await ids.read()).last : await ids.raiseFloor() };
  });
  if (begun.some(({ last }) => last > 0)) await wait(CREATIONS_END_AFTER_MS);
  const found: IdRepairResult<T>[] = [];
  for (const { table, last } of begun) {
    let entered = 0;
    let cleared = 0;
    for (let block = 0; last > 0 && block <= blockOf(last); block += 1) {
      const inBlock = await repairBlock(client, table, block, last, isDryRun);
      entered += inBlock.entered;
      cleared += inBlock.cleared;
    }
    const recounted = { table, last, entered, cleared };
    onTable?.(recounted);
    found.push(recounted);
  }
  return found;
}

async function repairBlock(
  client: DynamoDBDocumentClient,
  table: IdTable,
  block: number,
  last: number,
  isDryRun: boolean,
) {
  for (;;) {
    const { Item: entry = {} } = await client.send(
      new GetCommand({ TableName: table.name, Key: blockKey(block), ConsistentRead: true }),
    );
    const { changes, ...counts } = compareBlock(entry, block, last, await idsIn(client, table, block));
    if (changes.length === 0 || isDryRun) return counts;
    if (await replaced(client, table, block, entry, changes)) return counts;
  }
}

async function idsIn(
  client: DynamoDBDocumentClient,
  { name, index }: IdTable,
  block: number,
): Promise<Set<number>> {
  const ids = new Set<number>();
  const pages = queryPages(client, {
    TableName: name,
    ...(index !== undefined && { IndexName: index }),
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": String(block) },
    ProjectionExpression: "sk",
  });
  for await (const items of pages) for (const { sk } of items) ids.add(Number(sk));
  return ids;
}

/**
 * Changes a block's entry if it is as it was read. A mark that is new each time keeps two recounts from taking
 * a word for unchanged that one of them has cleared and a deletion has set again. It is a transaction of one
 * item, so that a repeated attempt whose first answer was lost is known to DynamoDB.
 *
 * @returns false when somebody else has changed it in between
 */
async function replaced(
  client: DynamoDBDocumentClient,
  { name }: IdTable,
  block: number,
  { mark }: StoredItem,
  changes: readonly WordChange[],
): Promise<boolean> {
  const set = changes.flatMap(({ to }, i) => (to > 0n ? [`#w${i} = :to${i}`] : []));
  const removed = changes.flatMap(({ to }, i) => (to > 0n ? [] : [`#w${i}`]));
  const conditions = changes.map(({ from }, i) =>
    from === undefined ? `attribute_not_exists(#w${i})` : `#w${i} = :from${i}`,
  );
  const isMarked = mark === undefined ? "attribute_not_exists(#mark)" : "#mark = :seen";
  try {
    await client.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName: name,
              Key: blockKey(block),
              UpdateExpression: [
                `SET ${["#mark = :mark", ...set].join(", ")}`,
                ...(removed.length > 0 ? [`REMOVE ${removed.join(", ")}`] : []),
              ].join(" "),
              ConditionExpression: [isMarked, ...conditions].join(" AND "),
              ExpressionAttributeNames: {
                "#mark": "mark",
                ...Object.fromEntries(changes.map(({ attribute }, i) => [`#w${i}`, attribute])),
              },
              ExpressionAttributeValues: {
                ":mark": crypto.randomUUID(),
                ...(mark !== undefined && { ":seen": mark }),
                ...Object.fromEntries(
                  changes.flatMap(({ from, to }, i) => [
                    ...(from === undefined ? [] : [[`:from${i}`, from]]),
                    ...(to > 0n ? [[`:to${i}`, to]] : []),
                  ]),
                ),
              },
            },
          },
        ],
      }),
    );
    return true;
  } catch (error) {
    if (cancellationCodes(error)?.[0] === "ConditionalCheckFailed") return false;
    throw error;
  }
}
