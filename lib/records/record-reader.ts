import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Owner } from "../domain/ownership.ts";
import type { ReadBudget } from "../domain/read-budget.ts";
import { batchGet, type ItemKey } from "../dynamodb/batch.ts";
import { decode, withoutDamaged } from "../dynamodb/decode.ts";
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
import { TableAccess } from "../dynamodb/table-access.ts";
import { IdAllocation, type Order } from "./id-allocation.ts";
import { blockOf, type IdRange, occupiedBlocks, recordKey, wholeBlock } from "./id-blocks.ts";
import { ownerPartition } from "./owners.ts";
import {
  type CursorPage,
  idOf,
  type OffsetPage,
  type RangeQuery,
  readInParts,
  readPageIds,
  readPages,
  readRange,
} from "./range-reader.ts";

/** Decodes a stored record without its id. A field that was added later needs a default. */
export type StoredSchema<T> = z.ZodMiniObject & z.ZodMiniType<Omit<T, "id">>;

export type RecordOf<S extends z.ZodMiniType> = { readonly id: number } & z.output<S>;

export type StringKey<T> = Exclude<keyof T, "id"> & string;

const MAX_OWN_READ = 1_000;

export interface RangeSelection<T, F extends StringKey<T> = StringKey<T>> {
  readonly limit?: number | undefined;
  readonly order?: Order | undefined;
  /** Only these fields are sent and decoded; all by default. It costs the same. */
  readonly fields?: readonly F[] | undefined;
  /** Only records with this value of a field are sent. It costs the same. */
  readonly where?: readonly [field: StringKey<T>, value: string] | undefined;
}

type IndexKey<T> = readonly [name: StringKey<T>, value: string | number];

export type TextPosition = readonly [text: string, id: number];

interface TextRange<T> extends Omit<RangeQuery<T>, "after"> {
  readonly after?: TextPosition | undefined;
}

interface Selection {
  readonly projection: ReturnType<typeof projection>;
  readonly decode: (item: StoredItem) => unknown;
}

/** By schema, and by the names of the fields. Schemas are compiled when they first decode. */
const selections = new WeakMap<z.ZodMiniObject, Map<string, Selection>>();

/** Reads the records of one table, strongly consistent. With an owner who does not see all, the own ones only. */
export class RecordReader<T extends { readonly id: number }> extends TableAccess {
  protected readonly owner: Owner | undefined;
  readonly ids = new IdAllocation(this.client, this.table);
  readonly #schema: StoredSchema<T>;

  constructor(client: DynamoDBClient, table: string, schema: StoredSchema<T>, owner?: Owner) {
    super(client, table);
    this.owner = owner;
    this.#schema = schema;
  }

  /** Reads the records of everybody, also for a caller who sees only own ones: for rules, such as an overlap, and for no response. */
  get ofEverybody(): RecordReader<T> {
    return new RecordReader(this.client, this.table, this.#schema);
  }

  /** Whose records alone it sees; undefined for those of all. */
  get onlyOwner(): string | undefined {
    return this.owner?.seesAll ? undefined : this.owner?.username;
  }

  protected sees({ owner }: StoredItem): boolean {
    return this.onlyOwner === undefined || owner === this.onlyOwner;
  }

  /** One call, and none for an id below 1. @throws DamagedRecord */
  async get(id: number): Promise<T | undefined> {
    const item = await this.read(id);
    return item && this.decode(item);
  }

  /** Reads one record as it is stored, damaged or not. One call. */
  async read(id: number): Promise<StoredItem | undefined> {
    const item = id < 1 ? undefined : await getItem(this.client, this.table, recordKey(id));
    return item && this.sees(item) ? item : undefined;
  }

  /** Reads the records that exist, in the order of the ids, without damaged ones. One call per hundred. */
  async getMany(ids: readonly number[], budget?: ReadBudget): Promise<T[]> {
    return this.#inOrder(ids, await this.readMany(ids, budget));
  }

  /** As `getMany`, of everybody. One call per block or MB: it reads all between the first and the last id of a block. */
  async queryMany(ids: readonly number[], budget?: ReadBudget): Promise<T[]> {
    const items = await mapConcurrently([...Map.groupBy(ids, blockOf)], ([block, some]) => {
      const query = rangeQuery(this.table, String(block), Math.min(...some), Math.max(...some));
      return queryAll(this.client, query, budget);
    });
    return this.#inOrder(ids, items.flat());
  }

  #inOrder(ids: readonly number[], items: readonly StoredItem[]): T[] {
    const records = withoutDamaged(items, (item) => this.decode(item));
    const byId = new Map(records.map((record) => [record.id, record]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Reads those records that exist as they are stored, damaged or not. One call per hundred. */
  async readMany(ids: Iterable<number>, budget?: ReadBudget): Promise<StoredItem[]> {
    const keys = [...new Set(ids)].filter((id) => id >= 1).map(recordKey);
    const items = await batchGet(this.client, this.table, keys, { budget });
    return items.filter((item) => this.sees(item));
  }

  /** Visits every record, in no particular order. One call per block or MB, and one for the ids. */
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
    const [allocated] = await Promise.all([this.ids.read(), visitBlock(0)]);
    const others = occupiedBlocks(allocated).filter((block) => block > 0);
    await mapConcurrently(others, visitBlock);
  }

  /** Reads part of the records in id order, at most what one response of the API can hold. */
  list(range: RangeQuery<T> = {}, budget?: ReadBudget): Promise<CursorPage<T>> {
    return this.listWith(range, (pages) => pages as AsyncIterable<QueryPage<T>>, {}, budget);
  }

  /**
   * As `list`, of what is read with the records.
   * @param selection of records, unless a few at the beginning are enough: these and the own ones are read whole
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
      return readPages(own, idOf, range);
    }
    const query = (ids: IdRange, limit?: number) => {
      const selected = { order: range.order, limit, ...(limit === undefined && selection) };
      return read(this.pagesIn(ids, selected, budget) as AsyncIterable<QueryPage<T>>);
    };
    return readRange(this.ids, query, range, rangeBudget);
  }

  /** Two calls in sequence, and one in between for each group with deletions. */
  page(offset: number, size: number, order: Order = "ascending", budget?: ReadBudget) {
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
    if (this.onlyOwner === undefined) {
      const { records: ids, total } = await readPageIds(this.ids, offset, size, order);
      return { records: await join(ids, this.queryMany(ids, budget)), total };
    }
    const entries = await queryAll(this.client, this.#ownEntries(), budget);
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
    const [from, to] = isAscending ? [(after ?? 0) + 1] : [0, after && after - 1];
    const query = { ...this.#ownEntries(from, to), Limit, ScanIndexForward: isAscending };
    const entries = queryPages(this.client, query, budget, ({ sk }) => ({ id: Number(sk) }));
    const read = (rows: readonly { readonly id: number }[]) => this.getMany(rows.map(idOf), budget);
    return readInParts(entries, () => MAX_OWN_READ, read);
  }

  #ownEntries(from?: number, to?: number) {
    return rangeQuery(this.table, ownerPartition(this.onlyOwner ?? ""), from, to);
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
    const decodeRow = selected.decode as (item: StoredItem) => Pick<T, F | "id">;
    return queryPages(this.client, { ...all, ...filtered }, budget, decodeRow);
  }

  /** Queries the table, or an index that has whole records. An only owner's own ones are returned. */
  async *query(query: QueryInput, budget?: ReadBudget): AsyncGenerator<QueryPage<T>> {
    for await (const { items, readTo } of queryPages(this.client, query, budget)) {
      const seen = items.filter((item) => this.sees(item));
      yield { items: withoutDamaged(seen, (item) => this.decode(item)), readTo };
    }
  }

  /** The records with a value in an index's partition key, in id order. It can be a moment behind. One call per MB. */
  listBy(
    IndexName: string,
    key: IndexKey<T>,
    { after, ...bounds }: Omit<RangeQuery<T>, "order"> = {},
    budget?: ReadBudget,
  ): Promise<CursorPage<T>> {
    const query = this.#indexQuery(IndexName, key, after ? recordKey(after) : undefined);
    return readPages((Limit) => this.query({ ...query, Limit }, budget), idOf, bounds);
  }

  /**
   * As `listBy`, for an index with a sort key of its own, in the order of that text.
   * @example bookings.listByText("by-room", ["room_id", 7], "starts_at", { after: cursor, limit }, budget())
   */
  listByText(
    IndexName: string,
    key: IndexKey<T>,
    sortedBy: StringKey<T>,
    { after, order, ...bounds }: TextRange<T> = {},
    budget?: ReadBudget,
  ): Promise<CursorPage<T, TextPosition>> {
    const start = after && { ...recordKey(after[1]), [sortedBy]: after[0] };
    const query = { ...this.#indexQuery(IndexName, key, start), ScanIndexForward: order !== "descending" };
    return readPages(
      (Limit) => this.query({ ...query, sortedBy, Limit }, budget),
      (record) => [String(record[sortedBy]), record.id],
      bounds,
    );
  }

  #indexQuery(IndexName: string, [name, value]: IndexKey<T>, after: ItemKey | undefined) {
    return {
      TableName: this.table,
      IndexName,
      ConsistentRead: false,
      KeyConditionExpression: "#key = :key",
      ExpressionAttributeNames: { "#key": name },
      ExpressionAttributeValues: { ":key": value },
      after: after && { ...after, [name]: value },
    };
  }

  /** Named fields only: the partition keys would be a seventh of a response with users. */
  #select(names: readonly string[] = Object.keys(this.#schema.shape)): Selection {
    const known = selections.get(this.#schema) ?? new Map<string, Selection>();
    selections.set(this.#schema, known);
    const key = names.join();
    const found = known.get(key);
    if (found) return found;
    const schema = z.pick(this.#schema, Object.fromEntries(names.map((name) => [name, true])) as never);
    const selection = {
      projection: projection(["sk", ...names]),
      decode: (item: StoredItem) => ({ id: item.sk, ...decode(schema, item) }),
    };
    known.set(key, selection);
    return selection;
  }

  keyOf(id: number) {
    return { TableName: this.table, Key: recordKey(id) };
  }

  decode(item: StoredItem): T {
    return { id: item.sk, ...decode(this.#schema, item) } as T;
  }
}
