import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { cancellationCodes, isErrorNamed } from "../dynamodb/client.ts";
import { queryRange } from "../dynamodb/query.ts";
import { type AllocatedIds, bitmapOf, tombstoneBit } from "./id-blocks.ts";

/** The partition that holds a table's books: the counter and one entry per block with ids that are deleted. */
const PARTITION = "books";
/** Where the counter of ids stands; sorts before every block's entry. */
export const COUNTER = { pk: PARTITION, sk: -1 };

/** Where the entry of a block stands. */
export function blockKey(block: number): { pk: string; sk: number } {
  return { pk: PARTITION, sk: block };
}

/** One write within a transaction. */
export type TransactionItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/**
 * The ids of one table: 1, 2, 3, … from an atomic counter, and the books of those that name no record any
 * more. docs/adr/0003 says why.
 */
export class IdAllocation {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  /**
   * @param client from `documentClient`
   * @param table the table's name
   */
  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Draws the next id, in one call. The counter remembers who drew last, so that a repeated attempt whose
   * first answer was lost finds its id instead of drawing a second one.
   *
   * @throws ApiError `ServiceUnavailable`
   */
  async allocate(): Promise<number> {
    const drawn = await this.#draw(crypto.randomUUID());
    // Without a time there is nothing but its own earlier attempt that a draw can lose against.
    return Number(drawn.last);
  }

  /**
   * Draws the next id together with a time that is never before that of a smaller id. One call, and another
   * one each time that a creator whose clock is ahead came before.
   *
   * @param now the time by this creator's clock
   * @returns the id and the time, ISO 8601
   * @throws ApiError `ServiceUnavailable`
   */
  async allocateWithTimestamp(now: Date): Promise<{ id: number; time: string }> {
    const drawer = crypto.randomUUID();
    let time = now.toISOString();
    for (;;) {
      const { last, drawer: lastDrawer, drawn } = await this.#draw(drawer, time);
      if (lastDrawer === drawer) return { id: Number(last), time };
      time = String(drawn);
    }
  }

  /** The counter as this drawer left it, or as it was when the condition failed. */
  async #draw(drawer: string, time?: string): Promise<Record<string, unknown>> {
    try {
      const { Attributes: counter } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: COUNTER,
          UpdateExpression: `SET drawer = :drawer${time ? ", drawn = :time" : ""} ADD #last :one`,
          ConditionExpression: `attribute_not_exists(drawer) OR (drawer <> :drawer${time ? " AND drawn <= :time" : ""})`,
          ExpressionAttributeNames: { "#last": "last" },
          ExpressionAttributeValues: { ":drawer": drawer, ":one": 1, ...(time && { ":time": time }) },
          ReturnValues: "ALL_NEW",
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
      );
      return counter ?? {};
    } catch (error) {
      if (!isErrorNamed(error, "ConditionalCheckFailedException")) throw error;
      const { Item: { last, drawer: lastDrawer, drawn } = {} } = error as {
        Item?: Record<string, AttributeValue>;
      };
      return { last: last?.N, drawer: lastDrawer?.S, drawn: drawn?.S };
    }
  }

  /**
   * Sees to it that no id that has been drawn so far is given back, and so drawn again, from now on: a creation
   * that fails later on enters its id as deleted instead. One call.
   *
   * @returns the last id that has been drawn; 0 before the first
   * @throws ApiError `ServiceUnavailable`
   */
  async raiseFloor(): Promise<number> {
    try {
      const { Attributes: counter } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: COUNTER,
          UpdateExpression: "SET #floor = #last",
          ConditionExpression: "attribute_exists(#last)",
          ExpressionAttributeNames: { "#last": "last", "#floor": "floor" },
          ReturnValues: "ALL_NEW",
        }),
      );
      return Number(counter?.last);
    } catch (error) {
      if (isErrorNamed(error, "ConditionalCheckFailedException")) return 0;
      throw error;
    }
  }

  /**
   * Ends a creation whose outcome is a failure or not known: gives its id back when nobody has drawn the next
   * one, else enters it as deleted.
   *
   * @param id what was drawn
   * @param key where the record would stand
   * @returns true when the record stands there after all, put by an attempt whose answer was lost
   * @throws ApiError `ServiceUnavailable` when neither can be told: the id stays drawn
   */
  async releaseOrTombstone(id: number, key: Readonly<Record<string, unknown>>): Promise<boolean> {
    const absent: TransactionItem = {
      ConditionCheck: {
        TableName: this.#table,
        Key: key,
        ConditionExpression: "attribute_not_exists(pk)",
      },
    };
    const giveBack: TransactionItem = {
      Update: {
        TableName: this.#table,
        Key: COUNTER,
        UpdateExpression: "ADD #last :back",
        ConditionExpression: "#last = :id AND (attribute_not_exists(#floor) OR #floor < :id)",
        ExpressionAttributeNames: { "#last": "last", "#floor": "floor" },
        ExpressionAttributeValues: { ":id": id, ":back": -1 },
      },
    };
    for (const entry of [giveBack, this.tombstone(id)]) {
      try {
        await this.#client.send(new TransactWriteCommand({ TransactItems: [absent, entry] }));
        return false;
      } catch (error) {
        const codes = cancellationCodes(error);
        if (codes === undefined) throw error;
        if (codes[0] === "ConditionalCheckFailed") return true;
      }
    }
    throw new Error(`The id ${id} could be neither given back nor entered as deleted`);
  }

  /**
   * The entry of an id that names no record from now on. It belongs in the transaction that deletes the
   * record: entered twice, it would corrupt the books.
   */
  tombstone(id: number): TransactionItem {
    const { block, attribute, bit } = tombstoneBit(id);
    return {
      Update: {
        TableName: this.#table,
        Key: blockKey(block),
        UpdateExpression: "ADD #word :bit",
        ExpressionAttributeNames: { "#word": attribute },
        ExpressionAttributeValues: { ":bit": bit },
      },
    };
  }

  /** The books as they are now. One call, a unit per 4 KB: up to 20,000 ids with every word in use. */
  async read(): Promise<AllocatedIds> {
    const items = await queryRange(this.#client, this.#table, PARTITION, COUNTER.sk, Number.MAX_SAFE_INTEGER);
    const counter = items.find((item) => item.sk === COUNTER.sk);
    const deleted = new Map<number, bigint>();
    for (const item of items) if (item !== counter) deleted.set(Number(item.sk), bitmapOf(item));
    return { last: Number(counter?.last ?? 0), deleted };
  }
}
