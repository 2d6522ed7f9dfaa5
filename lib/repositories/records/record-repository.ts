import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import { preconditionFailed } from "../../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../../domain/idempotency.ts";
import type { ReadBudget } from "../../domain/read-budget.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { cancellationCodes, isErrorNamed } from "../dynamodb/client.ts";
import {
  allOf,
  type Condition,
  conditionFailureItem,
  definedFields,
  itemExists,
  itemIsAbsent,
  type Precondition,
  unchanged,
  updateOf,
} from "../dynamodb/expressions.ts";
import { assertItemSize, itemSize } from "../dynamodb/item-size.ts";
import {
  mapPages,
  projection,
  type QueryInput,
  type QueryPage,
  queryPages,
  queryRange,
  rangeQuery,
  type StoredItem,
} from "../dynamodb/query.ts";
import { type TransactionItem, transactWrite } from "../dynamodb/transaction.ts";
import {
  type BodyFields,
  bodyKey,
  type DividedItem,
  divide,
  hasBody,
  hasNoBody,
  joinBodies,
  joinPages,
  MAX_HEAD_BYTES,
  writeBody,
} from "./bodies.ts";
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

/** Sizes are checked before the id is known; a body has a version. */
const LARGEST_KEY = { ...bodyKey(Number.MAX_SAFE_INTEGER), body: "0".repeat(8) };

/**
 * Decodes the attributes of a stored record: all fields but the id. Records written by an earlier version must
 * decode, so a field that was added later needs a default, and the bounds of the API are not checked again.
 *
 * `satisfies StoredSchema<Todo>` is a compile error while a field of the API is missing.
 */
export type StoredSchema<T> = z.ZodMiniObject & z.ZodMiniType<Omit<T, "id">>;

/** A record as its repository returns it: its id and what the stored schema decodes. */
export type RecordOf<S extends z.ZodMiniType> = { readonly id: number } & z.output<S>;

type StringKey<T> = Exclude<keyof T, "id"> & string;

/** New values for some fields of a record; undefined keeps the current value. */
export type Changes<T> = { readonly [K in keyof Omit<T, "id">]?: T[K] | undefined };

/**
 * The records of one table, under the ids 1, 2, 3, … (docs/adr/0003).
 *
 * The partition key `pk` is the number of the id's block, the sort key `sk` is the id. Large fields of a record above 1 KB
 * have an item of their own (bodies.ts), which costs one more call to read. Every read is strongly
 * consistent. Writes keep stored attributes that the schema does not know. Every method throws ApiError
 * `ServiceUnavailable` if DynamoDB is throttled or cannot be reached.
 */
export class RecordRepository<T extends { readonly id: number }> {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #schema: StoredSchema<T>;
  readonly #bodyFields: BodyFields;
  readonly #ids: IdAllocation;
  readonly #idempotency: Idempotency;
  /** The partition keys would be a seventh of a response with users. */
  readonly #withoutPartition: ReturnType<typeof projection>;

  /**
   * @param schema the order of its fields is that of the returned records
   * @param bodyFields so many that the others have at most 1 KB; all by default
   */
  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    schema: StoredSchema<T>,
    bodyFields: BodyFields = { large: Object.keys(schema.shape) },
  ) {
    this.#client = client;
    this.#table = table;
    this.#schema = schema;
    this.#bodyFields = bodyFields;
    this.#ids = new IdAllocation(client, table);
    this.#idempotency = new Idempotency(client, table);
    this.#withoutPartition = projection(["sk", "body", "bodyBytes", ...Object.keys(schema.shape)]);
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
    const divided = divide(item, this.#bodyFields);
    const put = { TableName: this.#table, Item: divided.head, ...itemIsAbsent };
    try {
      if (idempotency === undefined && divided.body === undefined) {
        await this.#client.send(new PutCommand(put));
      } else {
        const entry = idempotency && this.#idempotency.entry(idempotency, { id: record.id });
        const body = writeBody(this.#table, record.id, divided, false);
        await this.#client.send(
          new TransactWriteCommand({ TransactItems: [{ Put: put }, ...(entry ? [entry] : []), ...body] }),
        );
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
    const item = await this.#join(await this.#head(id));
    return item && this.#decode(item);
  }

  /** Reads those records that exist, by id. One call per hundred. */
  async getMany(ids: Iterable<number>, budget?: ReadBudget): Promise<Map<number, T>> {
    const keys = [...new Set(ids)].filter((id) => id >= 1).map(recordKey);
    const heads = await batchGet(this.#client, this.#table, keys, { budget });
    const items = await joinBodies(this.#client, this.#table, heads, budget);
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
    const schema = z.pick(this.#schema, Object.fromEntries(fields.map((field) => [field, true])) as never);
    const bodyAttributes = fields.some((field) => this.#mayBeInBody(field)) ? ["body", "bodyBytes"] : [];
    const attributes = ["sk", ...bodyAttributes, ...fields];
    return readAll(this.#ids, async ({ block, from, to }) => {
      const query = { ...rangeQuery(this.#table, String(block), from, to), ...projection(attributes) };
      for await (const { items } of this.#pages(query, budget))
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
      const heads = await queryRange(this.#client, this.#table, String(block), from, to, budget);
      const items = await joinBodies(this.#client, this.#table, heads, budget);
      return items.map((item) => this.#decode(item));
    });
  }

  /** Runs a query of the table or of an index that has whole heads, and returns the records of one part after another. */
  query(query: QueryInput, budget?: ReadBudget): AsyncGenerator<QueryPage<T>> {
    return mapPages(this.#pages(query, budget), (item) => this.#decode(item));
  }

  #pages(query: QueryInput, budget?: ReadBudget): AsyncGenerator<QueryPage<StoredItem>> {
    return joinPages(this.#client, this.#table, queryPages(this.#client, query, budget), budget);
  }

  #queryPages({ block, from, to }: IdRange, Limit: number | undefined, budget?: ReadBudget, order?: Order) {
    const query = {
      ...rangeQuery(this.#table, String(block), from, to),
      ...this.#withoutPartition,
      Limit,
      ScanIndexForward: order !== "descending",
    };
    return this.query(query, budget);
  }

  /** Counts the records. One call. */
  async count(): Promise<number> {
    return countOf(await this.#ids.read());
  }

  /**
   * Changes some fields of a record. One call; two with a precondition or for large fields, the second one a transaction.
   *
   * @param precondition called with the record before it changes
   * @returns the changed record; undefined if it does not exist
   * @throws ApiError `ValidationError` if the record would exceed the size of an item
   * @throws ApiError `PreconditionFailed` if the precondition fails, or the record changed after it was checked
   */
  async update(id: number, changes: Changes<T>, precondition?: Precondition<T>): Promise<T | undefined> {
    const fields = definedFields(changes);
    if (precondition) return this.#rewrite(id, fields, precondition);
    if (id < 1 || Object.keys(fields).length === 0) return this.get(id);
    assertItemSize({ ...LARGEST_KEY, ...fields });
    if (itemSize(fields) > MAX_HEAD_BYTES) return this.#rewrite(id, fields);
    const isInHead = Object.keys(fields).every((name) => !this.#mayBeInBody(name));
    try {
      const { Attributes: head } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: recordKey(id),
          ...updateOf(fields, isInHead ? itemExists : allOf(itemExists, hasNoBody)),
          ReturnValues: "ALL_NEW",
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
      );
      const item = await this.#join(head);
      return item && this.#decode(item);
    } catch (error) {
      const head = conditionFailureItem(error);
      if (head === undefined) throw error;
      return head.pk === undefined ? undefined : this.#rewrite(id, fields);
    }
  }

  /** Reads a record and writes it with changes, if it has not changed since. */
  async #rewrite(id: number, fields: StoredItem, precondition?: Precondition<T>): Promise<T | undefined> {
    for (;;) {
      const head = await this.#head(id);
      const item = await this.#join(head);
      if (head === undefined || item === undefined) return undefined;
      precondition?.(this.#decode(item));
      const changed = { ...item, ...fields };
      assertItemSize({ ...changed, ...LARGEST_KEY });
      if (Object.keys(fields).length === 0) return this.#decode(changed);
      const isBodyKept =
        head.body !== undefined && Object.keys(fields).every((name) => !this.#mayBeInBody(name));
      const divided: DividedItem = isBodyKept
        ? { head: { ...head, ...fields } }
        : divide({ ...changed, ...recordKey(id) }, this.#bodyFields);
      const isWritten = await transactWrite(this.#client, [
        { Put: { TableName: this.#table, Item: divided.head, ...allOf(itemExists, unchanged(head)) } },
        ...writeBody(this.#table, id, divided, head.body !== undefined && !isBodyKept),
      ]);
      if (isWritten) return this.#decode(changed);
      if (precondition) throw preconditionFailed();
    }
  }

  #mayBeInBody(field: string): boolean {
    const { always = [], large = [] } = this.#bodyFields;
    return always.includes(field) || large.includes(field);
  }

  /**
   * Deletes a record and marks its id as deleted, in one transaction. One call, and another one if it has a body; two
   * with a precondition.
   *
   * @param precondition called with the record before it is deleted
   * @returns false if the record does not exist
   * @throws ApiError `PreconditionFailed` if the precondition fails, or the record changed after it was checked
   */
  async remove(id: number, precondition?: Precondition<T>): Promise<boolean> {
    if (id < 1) return false;
    if (precondition) {
      const head = await this.#head(id);
      const item = await this.#join(head);
      if (head === undefined || item === undefined) return false;
      precondition(this.#decode(item));
      const isUnchanged = allOf(itemExists, unchanged(head));
      if (!(await transactWrite(this.#client, this.#deletion(id, isUnchanged, head.body !== undefined))))
        throw preconditionFailed();
      return true;
    }
    for (let withBody = this.#bodyFields.always !== undefined; ; withBody = !withBody) {
      const condition = allOf(itemExists, withBody ? hasBody : hasNoBody);
      const TransactItems = this.#deletion(id, condition, withBody);
      try {
        await this.#client.send(new TransactWriteCommand({ TransactItems }));
        return true;
      } catch (error) {
        const head = conditionFailureItem(error);
        if (head === undefined) throw error;
        if (head.pk === undefined) return false;
      }
    }
  }

  #deletion(id: number, condition: Condition, withBody: boolean): TransactionItem[] {
    const head = { TableName: this.#table, Key: recordKey(id), ...condition };
    return [
      { Delete: { ...head, ReturnValuesOnConditionCheckFailure: "ALL_OLD" } },
      ...this.#ids.tombstone(id),
      ...(withBody ? [{ Delete: { TableName: this.#table, Key: bodyKey(id) } }] : []),
    ];
  }

  async #head(id: number): Promise<StoredItem | undefined> {
    if (id < 1) return undefined;
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: recordKey(id), ConsistentRead: true }),
    );
    return item;
  }

  async #join(head: StoredItem | undefined): Promise<StoredItem | undefined> {
    return head && (await joinBodies(this.#client, this.#table, [head]))[0];
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
