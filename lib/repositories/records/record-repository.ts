import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import { preconditionFailed } from "../../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../../domain/idempotency.ts";
import type { ReadBudget } from "../../domain/read-budget.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { cancellationCodes, isErrorNamed } from "../dynamodb/client.ts";
import {
  allOf,
  definedFields,
  itemExists,
  itemIsAbsent,
  type Precondition,
  unchanged,
  updateOf,
} from "../dynamodb/expressions.ts";
import { assertItemSize, itemTooLarge } from "../dynamodb/item-size.ts";
import {
  mapPages,
  projection,
  queryPages,
  queryRange,
  rangeQuery,
  type StoredItem,
} from "../dynamodb/query.ts";
import { transactWrite } from "../dynamodb/transaction.ts";
import { IdAllocation, type Order } from "./id-allocation.ts";
import { countOf, type IdRange, recordKey } from "./id-blocks.ts";
import { Idempotency } from "./idempotency.ts";
import {
  type CursorPage,
  type OffsetPage,
  type RangeQuery,
  readAll,
  readOffsetPage,
  readRange,
} from "./range-reader.ts";

/** Sizes are checked before the id is known. */
const LARGEST_KEY = { pk: "0".repeat(16), sk: Number.MAX_SAFE_INTEGER };

/**
 * Decodes the attributes of a stored record: all fields but the id. Records written by an earlier version must
 * decode, so a field that was added later needs a default, and the bounds of the API are not checked again.
 *
 * `satisfies StoredSchema<Todo>` is a compile error while a field of the API is missing.
 */
export type StoredSchema<T> = z.ZodObject & z.ZodType<Omit<T, "id">>;

/** A record as its repository returns it: its id and what the stored schema decodes. */
export type RecordOf<S extends z.ZodType> = { readonly id: number } & z.output<S>;

type StringKey<T> = Exclude<keyof T, "id"> & string;

/** New values for some fields of a record; undefined keeps the current value. */
export type Changes<T> = { readonly [K in keyof Omit<T, "id">]?: T[K] | undefined };

/**
 * The records of one table, under the ids 1, 2, 3, … (docs/adr/0003).
 *
 * The partition key `pk` is the number of the id's block, the sort key `sk` is the id. Every read is strongly
 * consistent. Writes keep stored attributes that the schema does not know. Every method throws ApiError
 * `ServiceUnavailable` if DynamoDB is throttled or cannot be reached.
 */
export class RecordRepository<T extends { readonly id: number }> {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #schema: StoredSchema<T>;
  readonly #ids: IdAllocation;
  readonly #idempotency: Idempotency;

  /** @param schema the order of its fields is that of the returned records */
  constructor(client: DynamoDBDocumentClient, table: string, schema: StoredSchema<T>) {
    this.#client = client;
    this.#table = table;
    this.#schema = schema;
    this.#ids = new IdAllocation(client, table);
    this.#idempotency = new Idempotency(client, table);
  }

  /**
   * Creates a record under the next id. Two calls: the counter, then the record.
   *
   * @param fields the record without its id, or a function that derives it from the id
   * @param idempotency one call more, to look the key up, and a transaction of the record and the key's entry
   * @throws ApiError `ValidationError` if the record exceeds the size of an item, or the key was used for another
   *   request; no id is used then
   */
  async create(
    fields: Omit<T, "id"> | ((id: number) => Omit<T, "id">),
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<T>> {
    const fieldsOf = typeof fields === "function" ? fields : () => fields;
    assertItemSize({ ...LARGEST_KEY, ...fieldsOf(LARGEST_KEY.sk) });
    for (;;) {
      const earlier = idempotency && (await this.#idempotency.find(idempotency));
      const id = earlier ? Number(earlier.id) : await this.#ids.allocate();
      const item = { ...recordKey(id), ...fieldsOf(id) };
      const record = this.#decode(item);
      if (earlier) return { record, replayed: true };
      if (await this.#insert(record, item, idempotency)) return { record, replayed: false };
    }
  }

  /** @returns false if the creation has to start again, with another id or with the result of the same request */
  async #insert(record: T, item: StoredItem, idempotency: IdempotencyContext | undefined): Promise<boolean> {
    const put = { TableName: this.#table, Item: item, ...itemIsAbsent };
    try {
      if (idempotency === undefined) {
        await this.#client.send(new PutCommand(put));
      } else {
        const entry = this.#idempotency.entry(idempotency, { id: record.id });
        await this.#client.send(new TransactWriteCommand({ TransactItems: [{ Put: put }, entry] }));
      }
      return true;
    } catch (error) {
      const [isIdTaken, isKeyTaken] = failedConditions(error);
      if (isIdTaken && !isKeyTaken) {
        // Usually the record is ours, written by an attempt whose response was lost. Otherwise a late attempt of an
        // abandoned creation has taken the id.
        return isSame(await this.get(record.id), record);
      }
      const exists = await this.#ids.releaseOrTombstone(record.id, recordKey(record.id));
      // The same request has been processed at the same time: its result is found by the key.
      if (isKeyTaken) return false;
      if (exists) return true;
      throw error;
    }
  }

  /** Reads one record; undefined if it does not exist. One call, and none for an id below 1. */
  async get(id: number): Promise<T | undefined> {
    const item = await this.#read(id);
    return item && this.#decode(item);
  }

  /** Reads those records that exist, by id. One call per hundred. */
  async getMany(ids: Iterable<number>, budget?: ReadBudget): Promise<Map<number, T>> {
    const keys = [...new Set(ids)].filter((id) => id >= 1).map(recordKey);
    const items = await batchGet(this.#client, this.#table, keys, { budget });
    return new Map(items.map((item) => [Number(item.sk), this.#decode(item)]));
  }

  /**
   * Visits every record, in no particular order. It costs as much as reading them, but only the given fields are sent
   * and decoded.
   *
   * @throws ReadBudgetExceeded
   */
  forEach<F extends StringKey<T>>(
    fields: readonly F[],
    visit: (record: Pick<T, F | "id">) => void,
    budget?: ReadBudget,
  ): Promise<void> {
    const schema = this.#schema.pick(Object.fromEntries(fields.map((field) => [field, true])) as never);
    return readAll(this.#ids, async ({ block, from, to }) => {
      const query = { ...rangeQuery(this.#table, String(block), from, to), ...projection(["sk", ...fields]) };
      for await (const { items } of queryPages(this.#client, query, budget))
        for (const item of items) visit({ id: item.sk, ...schema.parse(item) } as Pick<T, F | "id">);
    });
  }

  /**
   * Reads part of the records in id order, and no more than one response of the API can hold.
   *
   * @param budget where it is spent, the part ends
   */
  list(query: RangeQuery<T> = {}, budget?: ReadBudget): Promise<CursorPage<T>> {
    return readRange(this.#ids, {
      ...query,
      query: (range, limit) => this.#queryPages(range, limit, budget, query.order),
    });
  }

  /**
   * Reads a page by its position. Two calls in sequence, whatever the position.
   *
   * @param offset how many records to skip
   * @param size how many records to take at most
   * @param order by id
   */
  page(
    offset: number,
    size: number,
    order: Order = "ascending",
    budget?: ReadBudget,
  ): Promise<OffsetPage<T>> {
    return readOffsetPage(this.#ids, offset, size, order, async ({ block, from, to }: IdRange) => {
      const items = await queryRange(this.#client, this.#table, String(block), from, to, budget);
      return items.map((item) => this.#decode(item));
    });
  }

  #queryPages({ block, from, to }: IdRange, Limit: number | undefined, budget?: ReadBudget, order?: Order) {
    const query = {
      ...rangeQuery(this.#table, String(block), from, to),
      Limit,
      ScanIndexForward: order !== "descending",
    };
    return mapPages(queryPages(this.#client, query, budget), (item) => this.#decode(item));
  }

  /** Counts the records. One call. */
  async count(): Promise<number> {
    return countOf(await this.#ids.read());
  }

  /**
   * Changes some fields of a record. One call; two with a precondition, the second one a transaction.
   *
   * @param precondition called with the record before it changes
   * @returns the changed record; undefined if it does not exist
   * @throws ApiError `ValidationError` if the record would exceed the size of an item
   * @throws ApiError `PreconditionFailed` if the precondition fails, or the record changed after it was checked
   */
  async update(id: number, changes: Changes<T>, precondition?: Precondition<T>): Promise<T | undefined> {
    const fields = definedFields(changes);
    if (precondition) return this.#updateIf(precondition, id, fields);
    if (id < 1 || Object.keys(fields).length === 0) return this.get(id);
    assertItemSize({ ...LARGEST_KEY, ...fields });
    try {
      const { Attributes: item } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: recordKey(id),
          ...updateOf(fields, itemExists),
          ReturnValues: "ALL_NEW",
        }),
      );
      return item && this.#decode(item);
    } catch (error) {
      if (isErrorNamed(error, "ConditionalCheckFailedException")) return undefined;
      // Only DynamoDB knows the size of the fields that stay.
      if (isErrorNamed(error, "ValidationException") && error.message.includes("size")) throw itemTooLarge();
      throw error;
    }
  }

  async #updateIf(precondition: Precondition<T>, id: number, fields: StoredItem): Promise<T | undefined> {
    const item = await this.#read(id);
    if (item === undefined) return undefined;
    precondition(this.#decode(item));
    const changed = { ...item, ...fields };
    assertItemSize(changed);
    if (Object.keys(fields).length > 0) {
      const update = updateOf(fields, allOf(itemExists, unchanged(item)));
      const isWritten = await transactWrite(this.#client, [
        { Update: { TableName: this.#table, Key: recordKey(id), ...update } },
      ]);
      if (!isWritten) throw preconditionFailed();
    }
    return this.#decode(changed);
  }

  /**
   * Deletes a record and marks its id as deleted, in one transaction. One call; two with a precondition.
   *
   * @param precondition called with the record before it is deleted
   * @returns false if the record does not exist
   * @throws ApiError `PreconditionFailed` if the precondition fails, or the record changed after it was checked
   */
  async remove(id: number, precondition?: Precondition<T>): Promise<boolean> {
    if (id < 1) return false;
    let condition = itemExists;
    if (precondition) {
      const item = await this.#read(id);
      if (item === undefined) return false;
      precondition(this.#decode(item));
      condition = allOf(itemExists, unchanged(item));
    }
    const isDeleted = await transactWrite(this.#client, [
      { Delete: { TableName: this.#table, Key: recordKey(id), ...condition } },
      ...this.#ids.tombstone(id),
    ]);
    if (!isDeleted && precondition) throw preconditionFailed();
    return isDeleted;
  }

  async #read(id: number): Promise<StoredItem | undefined> {
    if (id < 1) return undefined;
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: recordKey(id), ConsistentRead: true }),
    );
    return item;
  }

  #decode(item: StoredItem): T {
    return { id: item.sk, ...this.#schema.parse(item) } as T;
  }
}

/** Which conditions of a put, alone or in a transaction, have failed. */
function failedConditions(error: unknown): readonly boolean[] {
  if (isErrorNamed(error, "ConditionalCheckFailedException")) return [true];
  return (cancellationCodes(error) ?? []).map((code) => code === "ConditionalCheckFailed");
}

/** Compares as JSON, in which -0 is 0 as it is in DynamoDB; the schema orders the fields of both. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
