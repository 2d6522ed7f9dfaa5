import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import type { Creation, IdempotencyContext } from "../domain/idempotency.ts";
import type { Ownable, Owner } from "../domain/ownership.ts";
import type { ReadBudget } from "../domain/read-budget.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { currentTime } from "../dynamodb/clock.ts";
import { backOff, MAX_ATTEMPTS, tooManyConflicts } from "../dynamodb/contention.ts";
import { decode, withoutDamaged } from "../dynamodb/decode.ts";
import {
  allOf,
  type Condition,
  definedFields,
  itemExists,
  itemIsAbsent,
  type Precondition,
  unchanged,
  updateOf,
} from "../dynamodb/expressions.ts";
import {
  getItem,
  mapConcurrently,
  projection,
  type QueryInput,
  type QueryPage,
  queryAll,
  queryPages,
  rangeQuery,
  type StoredItem,
} from "../dynamodb/query.ts";
import { type TransactionItem, type TransactionParts, transact } from "../dynamodb/transaction.ts";
import { updateItem } from "../dynamodb/update.ts";
import { withoutOperations } from "./exactly-once.ts";
import { IdAllocation, type Order } from "./id-allocation.ts";
import { type IdRange, occupiedBlocks, recordKey, wholeBlock } from "./id-blocks.ts";
import { Idempotency } from "./idempotency.ts";
import {
  type CursorPage,
  type OffsetPage,
  type RangeQuery,
  readInParts,
  readOffsetPage,
  readPages,
  readRange,
} from "./range-reader.ts";
import { newRevision, revisionTime, timeOfChange } from "./revision.ts";

/** Decodes a stored record without its id. A field that was added later needs a default. */
export type StoredSchema<T> = z.ZodMiniObject & z.ZodMiniType<Omit<T, "id">>;

export type RecordOf<S extends z.ZodMiniType> = { readonly id: number } & z.output<S>;

type StringKey<T> = Exclude<keyof T, "id"> & string;

/** Stored in the idempotency entry. */
const Allocated = z.object({ id: z.int(), time: z._default(z.string(), "") });

/** How many own records are read together. */
const MAX_OWN_READ = 1_000;

/** Undefined keeps the current value. */
export type Changes<T> = { readonly [K in keyof Omit<T, "id">]?: T[K] | undefined };

export interface RangeSelection<T, F extends StringKey<T> = StringKey<T>> {
  readonly limit?: number | undefined;
  /** Ascending by default. */
  readonly order?: Order | undefined;
  /** Only these fields are sent and decoded; all by default. It costs the same. */
  readonly fields?: readonly F[] | undefined;
  /** Only records with this value of a field are sent. It costs the same. */
  readonly where?: readonly [field: StringKey<T>, value: string] | undefined;
}

/** The text by which a list is sorted, and the id, of the last record before a position. */
export type TextPosition = readonly [text: string, id: number];

interface TextRange<T> extends Omit<RangeQuery<T>, "after"> {
  readonly after?: TextPosition | undefined;
}

/** The partition key of an index and its value. */
type IndexKey<T> = readonly [name: StringKey<T>, value: string | number];

interface Selection<T> {
  readonly projection: ReturnType<typeof projection>;
  readonly decode: (item: StoredItem) => T;
}

/**
 * The records of one table, under the ids 1, 2, 3, … (docs/adr/0003, 0026). Every read is strongly
 * consistent. Writes keep stored attributes that the schema does not know.
 */
export class RecordRepository<T extends { readonly id: number }> implements Ownable {
  readonly #client: DynamoDBDocumentClient;
  readonly table: string;
  readonly #schema: StoredSchema<T>;
  readonly #now: (() => Date) | undefined;
  readonly #ids: IdAllocation;
  readonly #idempotency: Idempotency;
  /** Schemas are compiled when they first decode. */
  #selections = new Map<string, Selection<T>>();
  #owner: Owner | undefined;

  /** @param schema orders the fields of records @param now the clock, if they are created with a time */
  constructor(client: DynamoDBDocumentClient, table: string, schema: StoredSchema<T>, now?: () => Date) {
    this.#client = client;
    this.table = table;
    this.#schema = schema;
    this.#now = now;
    this.#ids = new IdAllocation(client, table);
    this.#idempotency = new Idempotency(client, table);
  }

  /**
   * Stores its owner with each new record, and an entry in the owner's partition, from which the own records
   * are listed. Changes, and reads of single records, cost the same; `in` and `pagesIn` see all.
   */
  ownedBy(owner: Owner): this {
    const Repository = this.constructor as new (
      ...args: ConstructorParameters<typeof RecordRepository<T>>
    ) => this;
    const owned = new Repository(this.#client, this.table, this.#schema, this.#now);
    owned.#selections = this.#selections;
    owned.#owner = owner;
    return owned;
  }

  /** Whose records alone it sees; undefined for those of all. */
  get onlyOwner(): string | undefined {
    return this.#owner?.seesAll ? undefined : this.#owner?.username;
  }

  /**
   * Creates a record under the next id. Two calls, and one more with an idempotency key.
   *
   * @param fields may be derived from the time, which is empty without a clock
   * @throws ApiError `ValidationError` if the key was used for another request; no id is used then
   */
  async create(
    fields: Omit<T, "id"> | ((time: string) => Omit<T, "id">),
    idempotency: IdempotencyContext | undefined,
    others?: (id: number) => readonly TransactionItem[],
  ): Promise<Creation<T>> {
    for (;;) {
      const earlier = idempotency && (await this.#idempotency.find(idempotency));
      const allocated = earlier ?? (await this.#ids.allocate(this.#now?.()));
      const { id, time } = Allocated.parse(allocated);
      const owner = this.#owner && { owner: this.#owner.username };
      const item = { ...recordKey(id), ...(typeof fields === "function" ? fields(time) : fields), ...owner };
      const record = this.decode(item);
      if (earlier) return { record, replayed: true };
      const parts = {
        record: { Put: { TableName: this.table, Item: item, ...itemIsAbsent } },
        key: idempotency && this.#idempotency.entry(idempotency, allocated),
        others: [...(others?.(id) ?? []), ...ownerEntry(this.table, item, "Put")],
      };
      if (await this.#insert(record, parts)) return { record, replayed: false };
    }
  }

  /** @returns false if the creation has to start again */
  async #insert(record: T, parts: TransactionParts<"record" | "key" | "others">): Promise<boolean> {
    const token = crypto.randomUUID();
    const end = () => this.#ids.releaseOrTombstone(record.id, token);
    try {
      const refused = await transact(this.#client, parts, token);
      // The same request was processed at the same time.
      if (refused.has("key")) await end();
      // Without the key, the counter was set back, for instance by restoring a backup.
      return refused.size === 0;
    } catch (error) {
      const exists = await end();
      // As JSON, in which -0 is 0, as in DynamoDB.
      const isSame = exists && JSON.stringify(await this.get(record.id)) === JSON.stringify(record);
      if (isSame) return true;
      throw error;
    }
  }

  /** One call, and none for an id below 1. @throws DamagedRecord */
  async get(id: number): Promise<T | undefined> {
    const item = await this.read(id);
    return item && this.decode(item);
  }

  /** Reads one record as it is stored, damaged or not. One call. */
  async read(id: number): Promise<StoredItem | undefined> {
    const item = id < 1 ? undefined : await getItem(this.#client, this.table, recordKey(id));
    return item && this.#sees(item) ? item : undefined;
  }

  /** Reads the records that exist, in the order of the ids, without damaged ones. One call per hundred. */
  async getMany(ids: readonly number[], budget?: ReadBudget): Promise<T[]> {
    const records = withoutDamaged(await this.readMany(ids, budget), (item) => this.decode(item));
    const byId = new Map(records.map((record) => [record.id, record]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Reads those records that exist as they are stored, damaged or not. One call per hundred. */
  async readMany(ids: Iterable<number>, budget?: ReadBudget): Promise<StoredItem[]> {
    const keys = [...new Set(ids)].filter((id) => id >= 1).map(recordKey);
    const items = await batchGet(this.#client, this.table, keys, { budget });
    return items.filter((item) => this.#sees(item));
  }

  #sees({ owner }: StoredItem): boolean {
    return this.onlyOwner === undefined || owner === this.onlyOwner;
  }

  /**
   * Visits every record, in no particular order. One call per block or MB, and one for the ids.
   *
   * @example await todos.forEach(["completed"], ({ completed }) => count(completed), budget)
   */
  async forEach<F extends StringKey<T>>(
    fields: readonly F[],
    visit: (record: Pick<T, F | "id">) => void,
    budget?: ReadBudget,
    where?: RangeSelection<T>["where"],
  ): Promise<void> {
    if (this.onlyOwner !== undefined) {
      for await (const { items } of this.#ownPages({}, undefined, budget))
        items.filter((record) => !where || record[where[0]] === where[1]).forEach(visit);
      return;
    }
    const visitBlock = async (block: number) => {
      for await (const { items } of this.pagesIn(wholeBlock(block), { fields, where }, budget))
        items.forEach(visit);
    };
    const [allocated] = await Promise.all([this.#ids.read(), visitBlock(0)]);
    const others = occupiedBlocks(allocated).filter((block) => block > 0);
    await mapConcurrently(others, visitBlock);
  }

  /** Reads part of the records in id order, at most what one response of the API can hold. */
  list(range: RangeQuery<T> = {}, budget?: ReadBudget): Promise<CursorPage<T>> {
    return this.listWith(range, (pages) => pages as AsyncIterable<QueryPage<T>>, {}, budget);
  }

  /**
   * As `list`, of what is read with the records.
   *
   * @param selection of records, unless the first ones are enough: these and the own ones are read whole
   * @param rangeBudget by which the number of blocks is chosen (see `readRange`)
   */
  listWith<R extends { readonly id: number }>(
    range: RangeQuery<R>,
    read: (pages: AsyncIterable<QueryPage<Partial<T> & Pick<T, "id">>>) => AsyncIterable<QueryPage<R>>,
    selection: Pick<RangeSelection<T>, "fields" | "where">,
    budget?: ReadBudget,
    rangeBudget?: ReadBudget,
  ): Promise<CursorPage<R>> {
    if (this.onlyOwner !== undefined) {
      const own = (first?: number) => read(this.#ownPages(range, first, budget));
      return readPages(own, ({ id }) => id, range);
    }
    const query = (ids: IdRange, limit?: number) => {
      const selected = { order: range.order, limit, ...(limit === undefined && selection) };
      return read(this.pagesIn(ids, selected, budget) as AsyncIterable<QueryPage<T>>);
    };
    return readRange(this.#ids, query, range, rangeBudget);
  }

  /** Two calls in sequence, and one in between for each group with deletions. */
  page(
    offset: number,
    size: number,
    order: Order = "ascending",
    budget?: ReadBudget,
  ): Promise<OffsetPage<T>> {
    return this.pageWith(offset, size, order, (_, records) => records, budget);
  }

  /** As `page`, with what `join` reads at the same time as the records with some ids. */
  async pageWith<R>(
    offset: number,
    size: number,
    order: Order,
    join: (ids: readonly number[], records: Promise<readonly T[]>) => Promise<readonly R[]>,
    budget?: ReadBudget,
  ): Promise<OffsetPage<R>> {
    if (this.onlyOwner === undefined)
      return readOffsetPage(this.#ids, offset, size, order, (range) =>
        join(range.ids, this.in(range, budget)),
      );
    const entries = await queryAll(this.#client, this.#ownEntries(), budget);
    const ids = entries.map(({ sk }) => Number(sk));
    if (order === "descending") ids.reverse();
    const page = ids.slice(offset, offset + size);
    return { records: await join(page, this.getMany(page, budget)), total: ids.length };
  }

  /** The records of the only owner, from the owner's entries. Two calls in sequence per 1,000. */
  #ownPages(
    { after, order = "ascending" }: Pick<RangeQuery<T>, "after" | "order">,
    Limit?: number,
    budget?: ReadBudget,
  ): AsyncGenerator<QueryPage<T>> {
    const isAscending = order === "ascending";
    // DynamoDB refuses a range whose end is before its start.
    const [from, to] = isAscending ? [(after ?? 0) + 1, undefined] : [0, after && Math.max(0, after - 1)];
    const query = { ...this.#ownEntries(from, to), Limit, ScanIndexForward: isAscending };
    const entries = queryPages(this.#client, query, budget, ({ sk }) => ({ id: Number(sk) }));
    const read = (rows: readonly { readonly id: number }[]) =>
      this.getMany(
        rows.map(({ id }) => id),
        budget,
      );
    return readInParts(entries, () => MAX_OWN_READ, read);
  }

  #ownEntries(from?: number, to?: number) {
    return rangeQuery(this.table, ownerPartition(this.onlyOwner ?? ""), from, to);
  }

  async in({ block, from, to }: IdRange, budget?: ReadBudget): Promise<T[]> {
    const items = await queryAll(this.#client, rangeQuery(this.table, String(block), from, to), budget);
    return withoutDamaged(items, (item) => this.decode(item));
  }

  pagesIn<F extends StringKey<T>>(
    { block, from, to }: IdRange,
    { limit, order, fields, where }: RangeSelection<T, F>,
    budget?: ReadBudget,
  ): AsyncGenerator<QueryPage<Pick<T, F | "id">>> {
    const selected = this.#select(fields);
    const query = rangeQuery(this.table, String(block), from, to);
    const all = { ...query, ...selected.projection, Limit: limit, ScanIndexForward: order !== "descending" };
    const filtered = where && {
      FilterExpression: "#filtered = :filtered",
      ExpressionAttributeNames: { ...selected.projection.ExpressionAttributeNames, "#filtered": where[0] },
      ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ":filtered": where[1] },
    };
    return queryPages(this.#client, { ...all, ...filtered }, budget, selected.decode);
  }

  /** Queries the table, or an index that has whole records. An only owner's own ones are returned. */
  async *query(query: QueryInput, budget?: ReadBudget): AsyncGenerator<QueryPage<T>> {
    for await (const { items, readTo } of queryPages(this.#client, query, budget)) {
      const seen = items.filter((item) => this.#sees(item));
      yield { items: withoutDamaged(seen, (item) => this.decode(item)), readTo };
    }
  }

  /**
   * Reads part of the records that have a value in an index's partition key, in id order. The index can be a
   * moment behind the latest change. One call per MB.
   */
  listBy(
    IndexName: string,
    [name, value]: IndexKey<T>,
    { after = 0, ...bounds }: Omit<RangeQuery<T>, "order"> = {},
    budget?: ReadBudget,
  ): Promise<CursorPage<T>> {
    const query = {
      TableName: this.table,
      IndexName,
      ConsistentRead: false,
      KeyConditionExpression: "#key = :key AND sk > :after",
      ExpressionAttributeNames: { "#key": name },
      ExpressionAttributeValues: { ":key": value, ":after": after },
    };
    return readPages(
      (Limit) => this.query({ ...query, Limit }, budget),
      ({ id }) => id,
      bounds,
    );
  }

  /**
   * As `listBy`, for an index with a sort key of its own, in the order of that text.
   *
   * @example bookings.listByText("by-room", ["room_id", 7], "starts_at", { after: cursor, limit }, budget())
   */
  listByText(
    IndexName: string,
    [name, value]: IndexKey<T>,
    sortedBy: StringKey<T>,
    { after, order, ...bounds }: TextRange<T> = {},
    budget?: ReadBudget,
  ): Promise<CursorPage<T, TextPosition>> {
    const query = {
      TableName: this.table,
      IndexName,
      ConsistentRead: false,
      KeyConditionExpression: "#key = :key",
      ExpressionAttributeNames: { "#key": name },
      ExpressionAttributeValues: { ":key": value },
      ScanIndexForward: order !== "descending",
      after: after && { ...recordKey(after[1]), [name]: value, [sortedBy]: after[0] },
      sortedBy,
    };
    return readPages(
      (Limit) => this.query({ ...query, Limit }, budget),
      (record) => [String(record[sortedBy]), record.id],
      bounds,
    );
  }

  /** One call, as `overwrite`; two with a precondition, as `change`. */
  async update(id: number, changes: Changes<T>, precondition?: Precondition<T>): Promise<T | undefined> {
    if (precondition === undefined) return this.overwrite(id, () => changes);
    return this.change(id, (record) => {
      precondition(record);
      return changes;
    });
  }

  /**
   * Changes a record, whatever it is. One call, and one more for each newer revision.
   *
   * @param changesAt gets the time of the revision, or ours if that comes from a wrong clock
   * @throws ApiError `ServiceUnavailable`, also if the change may have been made and then replaced
   */
  async overwrite(id: number, changesAt: (time: string) => Changes<T>): Promise<T | undefined> {
    if (id < 1) return undefined;
    let after: string | undefined;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await backOff(attempt);
      const now = this.#time();
      const revision = newRevision(now.getTime(), after);
      const time = timeOfChange(new Date(revisionTime(revision)).toISOString(), now);
      const fields = definedFields(changesAt(time));
      if (Object.keys(fields).length === 0) return this.get(id);
      const result = await this.#overwrite(id, { ...fields, revision });
      if (typeof result !== "string") return result;
      after = result;
    }
    throw tooManyConflicts();
  }

  /** @returns the changed record; its revision if that is newer; undefined if it does not exist */
  async #overwrite(id: number, fields: StoredItem & { revision: string }): Promise<T | string | undefined> {
    const isOlder = isOlderThan(fields.revision);
    const condition =
      this.onlyOwner === undefined ? isOlder : allOf(isOlder, unchanged({ owner: this.onlyOwner }));
    const update = { ...this.#keyOf(id), ...updateOf(fields, condition) };
    const { isDone, item, isUncertain } = await updateItem(this.#client, update);
    if (isDone || item.revision === fields.revision) return this.decode(item);
    if (item.pk === undefined || !this.#sees(item)) return undefined;
    // An earlier attempt may have made the change, which another one has replaced.
    if (isUncertain) throw tooManyConflicts();
    return String(item.revision);
  }

  /**
   * Changes a record depending on what it is. Two calls, and two more for each concurrent change.
   *
   * @param others is asked in each attempt for what is written with it, such as a `prepareChange`
   */
  async change(
    id: number,
    changesOf: (record: T) => Changes<T>,
    others: () => Promise<readonly TransactionItem[]> = async () => [],
  ): Promise<T | undefined> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await backOff(attempt);
      const prepared = await this.prepareChange(id, changesOf);
      if (prepared === undefined) return undefined;
      const parts = { record: prepared.write, others: await others() };
      if (parts.record.length + parts.others.length === 0) return prepared.record;
      const refused = await transact(this.#client, parts);
      if (refused.size === 0) return prepared.record;
    }
    throw tooManyConflicts();
  }

  /** A change for the `others` of another record's change: both are made, or none. One call. */
  async prepareChange(
    id: number,
    changesOf: (record: T) => Changes<T>,
  ): Promise<{ readonly record: T; readonly write: readonly TransactionItem[] } | undefined> {
    const before = await this.read(id);
    if (before === undefined) return undefined;
    const fields = definedFields(changesOf(this.decode(before)));
    if (Object.keys(fields).length === 0) return { record: this.decode(before), write: [] };
    const after = { ...fields, revision: newRevision(this.#time().getTime(), before.revision as string) };
    const Update = { ...this.#keyOf(id), ...updateOf(after, isSameVersion(before)) };
    return { record: this.decode({ ...before, ...after }), write: [{ Update }] };
  }

  #time(): Date {
    return this.#now?.() ?? currentTime();
  }

  /**
   * One call. With a precondition, which may be any rule that throws: two, and two more for each concurrent
   * change, after which it is checked again.
   */
  async remove(
    id: number,
    precondition?: Precondition<T>,
    others: readonly TransactionItem[] = [],
  ): Promise<boolean> {
    if (precondition === undefined && !this.#owner?.seesAll)
      return id >= 1 && this.#remove({ sk: id, owner: this.onlyOwner }, this.#isOwn(), others);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await backOff(attempt);
      const before = await this.read(id);
      if (before === undefined) return false;
      precondition?.(this.decode(before));
      const condition = precondition ? isSameVersion(before) : this.#isOwn();
      if (await this.#remove(before, condition, others)) return true;
    }
    throw tooManyConflicts();
  }

  #isOwn(): Condition {
    return this.onlyOwner === undefined ? itemExists : unchanged({ owner: this.onlyOwner });
  }

  async #remove(
    item: StoredItem,
    condition: Condition,
    others: readonly TransactionItem[],
  ): Promise<boolean> {
    const id = Number(item.sk);
    const refused = await transact(this.#client, {
      record: { Delete: { ...this.#keyOf(id), ...condition } },
      others: [
        ...this.#ids.tombstone(id),
        ...others,
        ...(this.#owner ? ownerEntry(this.table, item, "Delete") : []),
      ],
    });
    return refused.size === 0;
  }

  /** Makes an account, or nobody, the owner of a record. Two calls. @returns false if there is no such record */
  async give(id: number, owner: string | undefined): Promise<boolean> {
    const before = await this.read(id);
    if (before === undefined) return false;
    const isSame = allOf(itemExists, unchanged({ owner: before.owner }));
    const entryOf = (owner: unknown, write: "Put" | "Delete") =>
      ownerEntry(this.table, { sk: id, owner }, write);
    const refused = await transact(this.#client, {
      record: {
        Update: { ...this.#keyOf(id), ...updateOf({ owner }, isSame, owner === undefined ? ["owner"] : []) },
      },
      entries: [...(before.owner === owner ? [] : entryOf(before.owner, "Delete")), ...entryOf(owner, "Put")],
    });
    if (refused.size > 0) throw tooManyConflicts();
    return true;
  }

  /** The ids of an account's records, also of deleted ones whose entries are left. */
  async idsOf(owner: string): Promise<number[]> {
    const entries = await queryAll(this.#client, rangeQuery(this.table, ownerPartition(owner)));
    return entries.map(({ sk }) => Number(sk));
  }

  #keyOf(id: number) {
    return { TableName: this.table, Key: recordKey(id) };
  }

  /** Named fields only: the partition keys would be a seventh of a response with users. */
  #select(names: readonly string[] = Object.keys(this.#schema.shape)): Selection<T> {
    const key = names.join();
    const known = this.#selections.get(key);
    if (known) return known;
    const schema = z.pick(this.#schema, Object.fromEntries(names.map((name) => [name, true])) as never);
    const selection = {
      projection: projection(["sk", ...names]),
      decode: (item: StoredItem) => ({ id: item.sk, ...decode(schema, item) }) as T,
    };
    this.#selections.set(key, selection);
    return selection;
  }

  /** @throws DamagedRecord */
  decode(item: StoredItem): T {
    return { id: item.sk, ...decode(this.#schema, item) } as T;
  }
}

export function ownerPartition(owner: string): string {
  return `owner#${owner}`;
}

/** Writes or deletes the entry of a record in its owner's partition; nothing if it has no owner. */
export function ownerEntry(
  TableName: string,
  { sk, owner }: StoredItem,
  write: "Put" | "Delete",
): TransactionItem[] {
  if (typeof owner !== "string") return [];
  const key = { pk: ownerPartition(owner), sk };
  return [write === "Put" ? { Put: { TableName, Item: key } } : { Delete: { TableName, Key: key } }];
}

/** The condition that a record exists without a revision, or with an older one. */
function isOlderThan(revision: string): Condition {
  return {
    ConditionExpression: "attribute_exists(pk) AND (attribute_not_exists(revision) OR revision < :revision)",
    ExpressionAttributeValues: { ":revision": revision },
  };
}

/** The condition that a record is as it was read. Orders count their changes in `stockChanges`. */
function isSameVersion(item: StoredItem): Condition {
  return unchanged({ revision: undefined, stockChanges: undefined, ...withoutOperations(item) });
}
