import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import { type ApiError, preconditionFailed, validationError } from "../../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../../domain/idempotency.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { cancellationCodes, isErrorNamed } from "../dynamodb/client.ts";
import { type Precondition, unchanged } from "../dynamodb/expressions.ts";
import { itemSize, MAX_ITEM_BYTES } from "../dynamodb/item-size.ts";
import { queryPages, queryRange, rangeQuery, type StoredItem } from "../dynamodb/query.ts";
import { IdAllocation, type TransactionItem } from "./id-allocation.ts";
import { blockOf, countOf, type IdRange } from "./id-blocks.ts";
import { Idempotency } from "./idempotency.ts";
import { type OffsetPage, readAll, readPage } from "./pages.ts";
import { type CursorPage, type RangeQuery, readRange } from "./range.ts";

interface Identified {
  readonly id: number;
}

/** New values for some fields of a record; what is undefined stays as it is. */
export type Changes<T> = { readonly [K in keyof Omit<T, "id">]?: T[K] | undefined };

/**
 * The records of one kind in one table, under ids that the service assigns: 1, 2, 3, …
 *
 * A record lies under its block's number (partition key `pk`) and its id (sort key `sk`). The books lie beside
 * them under `pk` = `books`. docs/adr/0003 says why. Every read is strongly consistent.
 */
export class RecordRepository<T extends Identified> {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #schema: z.ZodType<T>;
  readonly #ids: IdAllocation;
  readonly #idempotency: Idempotency;

  /**
   * @param client from `documentClient`, which retries and tells throttling from absence
   * @param table the table's name
   * @param schema decodes what is stored; it also gives a record's fields their order
   */
  constructor(client: DynamoDBDocumentClient, table: string, schema: z.ZodType<T>) {
    this.#client = client;
    this.#table = table;
    this.#schema = schema;
    this.#ids = new IdAllocation(client, table);
    this.#idempotency = new Idempotency(client, table);
  }

  /**
   * Creates a record under the next id. Two calls: the counter, then the record. When the second fails for
   * good, the id is given back, or entered as gone where somebody has drawn the next one since.
   *
   * @param given the record without its id, or what makes it of its id
   * @param idempotency under which key: one call before, to look it up, and a transaction of the record and the key
   * @returns the record with its id
   * @throws ApiError `ValidationError` when it is larger than an item can be, or the key was used for another
   *   request; no id is used then
   * @throws ApiError `ServiceUnavailable`
   */
  async create(
    given: Omit<T, "id"> | ((id: number) => Omit<T, "id">),
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<T>> {
    const fieldsOf = typeof given === "function" ? given : () => given;
    this.#refuseOversize(fieldsOf(Number.MAX_SAFE_INTEGER));
    for (;;) {
      const made = idempotency && (await this.#idempotency.find(idempotency));
      const id = made ? Number(made.id) : await this.#ids.allocate();
      const fields = fieldsOf(id);
      const record = this.#decode({ ...fields, sk: id });
      if (made) return { record, replayed: true };
      try {
        await this.#put(
          { ...recordKey(id), ...fields },
          idempotency && this.#idempotency.entry(idempotency, { id }),
        );
        return { record, replayed: false };
      } catch (error) {
        const [isTaken, isKnown] = failedConditions(error);
        if (!isTaken || isKnown) {
          const stands = await this.#ids.releaseOrTombstone(id, recordKey(id));
          // What stands under an id is not this record if another request has entered the key.
          if (isKnown) continue;
          if (stands) return { record, replayed: false };
          throw error;
        }
      }
      // A record stands there. Nearly always it is this one, put by an attempt whose answer was lost; a
      // straggler of a creation that was given up can have taken the id too, and then the next one is drawn.
      if (isSame(await this.get(id), record)) return { record, replayed: false };
    }
  }

  /** One record, or undefined when no record has that id. One call, and none for an id below 1. */
  async get(id: number): Promise<T | undefined> {
    const item = await this.#item(id);
    return item && this.#decode(item);
  }

  /** Those of some records that exist, by id. One call per hundred. */
  async getMany(ids: Iterable<number>): Promise<Map<number, T>> {
    const keys = [...new Set(ids)].filter((id) => id >= 1).map(recordKey);
    const items = await batchGet(this.#client, this.#table, keys);
    return new Map(items.map((item) => [Number(item.sk), this.#decode(item)]));
  }

  /** Every record in id order: the books and the first block together, then the other blocks in parallel. */
  async all(): Promise<T[]> {
    return readAll(this.#ids, (run) => this.#read(run));
  }

  /**
   * A part of the records in id order, and no more than one answer of the API can hold. What it costs is what
   * `list` costs, or less.
   *
   * @see readRange
   */
  list(wanted: RangeQuery<T>): Promise<CursorPage<T>> {
    const { limit, filter } = wanted;
    const Limit = limit !== undefined && filter === undefined ? { Limit: limit + 1 } : {};
    const pages = ({ block, from, to }: IdRange) =>
      queryPages(this.#client, { ...rangeQuery(this.#table, String(block), from, to), ...Limit });
    return readRange(this.#ids, wanted, pages, (item) => this.#decode(item));
  }

  /**
   * A page by arithmetic: the books tell where it lies, so that page 100,000 costs what page 1 costs. Two
   * calls in sequence; the second is one query, or one per block that the page touches, in parallel.
   *
   * @param offset how many records to pass over
   * @param size how many records to take at most
   * @param order `ascending` by id unless told
   */
  async page(
    offset: number,
    size: number,
    order: "ascending" | "descending" = "ascending",
  ): Promise<OffsetPage<T>> {
    return readPage(this.#ids, offset, size, order, (run) => this.#read(run));
  }

  /** How many records there are. One call. */
  async count(): Promise<number> {
    return countOf(await this.#ids.read());
  }

  /**
   * Changes some fields of a record in one call. With an expectation it is two, and the write a transaction of
   * one item, at twice the price: a repeated attempt whose first answer was lost is then known to DynamoDB, and
   * not held against its own effect.
   *
   * @param id the record's id
   * @param changes the new values
   * @param precondition called with the record that is replaced
   * @returns the record as it is then, or undefined when no record has that id
   * @throws ApiError `ValidationError` when the record would be larger than an item can be
   * @throws ApiError `PreconditionFailed` when the record has changed since it was expected
   */
  async update(id: number, changes: Changes<T>, precondition?: Precondition<T>): Promise<T | undefined> {
    if (id < 1) return undefined;
    const fields = Object.entries(changes).filter(([, value]) => value !== undefined);
    if (precondition) return this.#updateExpected(id, Object.fromEntries(fields), precondition);
    if (fields.length === 0) return this.get(id);
    this.#refuseOversize(changes);
    try {
      const { Attributes: item } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: recordKey(id),
          ConditionExpression: "attribute_exists(pk)",
          UpdateExpression: `SET ${fields.map((_, i) => `#f${i} = :f${i}`).join(", ")}`,
          ExpressionAttributeNames: Object.fromEntries(fields.map(([name], i) => [`#f${i}`, name])),
          ExpressionAttributeValues: Object.fromEntries(fields.map(([, value], i) => [`:f${i}`, value])),
          ReturnValues: "ALL_NEW",
        }),
      );
      return item && this.#decode(item);
    } catch (error) {
      if (isErrorNamed(error, "ConditionalCheckFailedException")) return undefined;
      // What the new values are added to is known to DynamoDB alone.
      if (isErrorNamed(error, "ValidationException") && error.message.includes("size")) throw oversize();
      throw error;
    }
  }

  /**
   * Deletes a record and enters its id as gone, in one transaction. With an expectation the record is read first.
   *
   * @param precondition called with the record that is deleted
   * @returns false when no record has that id
   * @throws ApiError `PreconditionFailed` when the record has changed since it was expected
   */
  async remove(id: number, precondition?: Precondition<T>): Promise<boolean> {
    if (id < 1) return false;
    const item = precondition && (await this.#expected(id, precondition));
    if (precondition && item === undefined) return false;
    const condition = item ? unchanged(item) : { ConditionExpression: "attribute_exists(pk)" };
    const isDone = await this.#transact([
      { Delete: { TableName: this.#table, Key: recordKey(id), ...condition } },
      this.#ids.tombstone(id),
    ]);
    if (!isDone && precondition) throw preconditionFailed();
    return isDone;
  }

  async #put(item: StoredItem, entry: TransactionItem | undefined): Promise<void> {
    const put = { TableName: this.#table, Item: item, ConditionExpression: "attribute_not_exists(pk)" };
    await (entry
      ? this.#client.send(new TransactWriteCommand({ TransactItems: [{ Put: put }, entry] }))
      : this.#client.send(new PutCommand(put)));
  }

  async #item(id: number): Promise<StoredItem | undefined> {
    if (id < 1) return undefined;
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: recordKey(id), ConsistentRead: true }),
    );
    return item;
  }

  async #expected(id: number, precondition: Precondition<T>): Promise<StoredItem | undefined> {
    const item = await this.#item(id);
    if (item) precondition(this.#decode(item));
    return item;
  }

  async #updateExpected(
    id: number,
    changes: StoredItem,
    precondition: Precondition<T>,
  ): Promise<T | undefined> {
    const item = await this.#expected(id, precondition);
    if (item === undefined) return undefined;
    const changed = { ...item, ...changes };
    this.#refuseOversize(changed);
    const Put = { TableName: this.#table, Item: changed, ...unchanged(item) };
    if (Object.keys(changes).length > 0 && !(await this.#transact([{ Put }]))) throw preconditionFailed();
    return this.#decode(changed);
  }

  /** Writes all of it, or nothing where the first line's condition fails. */
  async #transact(items: TransactionItem[]): Promise<boolean> {
    try {
      await this.#client.send(new TransactWriteCommand({ TransactItems: items }));
      return true;
    } catch (error) {
      if (cancellationCodes(error)?.[0] === "ConditionalCheckFailed") return false;
      throw error;
    }
  }

  async #read({ block, from, to }: IdRange): Promise<T[]> {
    const items = await queryRange(this.#client, this.#table, String(block), from, to);
    return items.map((item) => this.#decode(item));
  }

  #decode(item: StoredItem): T {
    return this.#schema.parse({ ...item, id: item.sk });
  }

  #refuseOversize(fields: StoredItem): void {
    if (itemSize({ pk: "0".repeat(16), sk: Number.MAX_SAFE_INTEGER, ...fields }) > MAX_ITEM_BYTES)
      throw oversize();
  }
}

/** Which conditions of a put, alone or in a transaction, have failed. */
function failedConditions(error: unknown): readonly boolean[] {
  if (isErrorNamed(error, "ConditionalCheckFailedException")) return [true];
  return (cancellationCodes(error) ?? []).map((code) => code === "ConditionalCheckFailed");
}

/** Compares as JSON, in which -0 is 0 as it is in DynamoDB; a schema gives the fields their order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Where the record with an id stands. */
export function recordKey(id: number): { pk: string; sk: number } {
  return { pk: String(blockOf(id)), sk: id };
}

function oversize(): ApiError {
  return validationError([
    { field: "body", message: "The record is larger than the 400 KB that one can hold", type: "too_big" },
  ]);
}
