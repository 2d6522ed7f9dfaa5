import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { ApiError } from "../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../domain/idempotency.ts";
import type { Owner } from "../domain/ownership.ts";
import { isUncertain } from "../dynamodb/client.ts";
import { backOff, MAX_ATTEMPTS, tooManyConflicts } from "../dynamodb/contention.ts";
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
import type { StoredItem } from "../dynamodb/query.ts";
import { type TransactionItem, type TransactionParts, transact, updateItem } from "../dynamodb/writes.ts";
import { recordKey } from "./id-blocks.ts";
import { Idempotency } from "./idempotency.ts";
import { ownerEntry, ownerOf } from "./owners.ts";
import { RecordReader, type StoredSchema } from "./record-reader.ts";
import { newRevision, revisionTime } from "./revision.ts";

const Created = z.object({ id: z.int(), time: z._default(z.string(), "") });
type Created = z.output<typeof Created>;

export type Changes<T> = { readonly [K in keyof Omit<T, "id">]?: T[K] | undefined };

export type Refused<Name> = Pick<ReadonlySet<Name>, "has" | "size">;

/** What is written with a record: both, or none. Asked again in each attempt, with what was refused; may throw. */
type Others<Name extends string, Arguments extends readonly unknown[] = []> = (
  ...args: [...Arguments, refused: Refused<Name>]
) => TransactionParts<Name> | Promise<TransactionParts<Name>>;

interface CreateOptions<Name extends string> {
  readonly others?: Others<Name, [id: number]> | undefined;
  /** The account whose record it is; by default the caller's, where records have owners. */
  readonly owner?: string | undefined;
  /** The record that it lies below, as `read` returns it: it has the same owner, or none, unless `owner` is given. */
  readonly parent?: StoredItem | undefined;
}

/** The records of one table, under the ids 1, 2, 3, … (docs/writes.md). Writes keep unknown attributes. */
export class RecordRepository<T extends { readonly id: number }> extends RecordReader<T> {
  readonly #now: (() => Date) | undefined;
  readonly #idempotency: Idempotency;

  /**
   * @param owner whose records it creates, and sees alone unless the owner sees all
   * @param now the clock, if records are created with a time
   */
  constructor(
    client: DynamoDBClient,
    table: string,
    schema: StoredSchema<T>,
    owner?: Owner,
    now?: () => Date,
  ) {
    super(client, table, schema, owner);
    this.#now = now;
    this.#idempotency = new Idempotency(client, table);
  }

  /**
   * Creates a record under the next id. Two calls, and one more with an idempotency key.
   *
   * @param fields may be derived from the time, which is empty without a clock
   * @throws ApiError `ValidationError` if the key was used for another request; no id is used then
   * @example
   * bookings.create(fields, idempotency, {
   *   others: (id, refused) => {
   *     if (refused.has("slot")) throw slotTaken();
   *     return { slot: { Put: { TableName, Item: { ...slotKey, booking: id }, ...itemIsAbsent } } };
   *   },
   * });
   */
  async create<Name extends string = never>(
    fields: Omit<T, "id"> | ((time: string) => Omit<T, "id">),
    idempotency: IdempotencyContext | undefined,
    { others, parent, owner = parent ? ownerOf(parent) : this.owner?.username }: CreateOptions<Name> = {},
  ): Promise<Creation<T>> {
    const itemOf = ({ id, time }: Created) => {
      const known = typeof fields === "function" ? fields(time) : fields;
      return { ...recordKey(id), ...known, ...(owner !== undefined && { owner }) };
    };
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await backOff(attempt);
      const earlier = idempotency && (await this.#idempotency.find(idempotency));
      if (earlier) return { record: this.decode(itemOf(Created.parse(earlier))), replayed: true };
      const allocated = await this.ids.allocate(this.#now?.());
      const { id, time } = allocated;
      const item = itemOf(allocated);
      const record = this.decode(item);
      const parts = {
        record: { Put: { TableName: this.table, Item: item, ...itemIsAbsent } },
        key: idempotency && this.#idempotency.entry(idempotency, { id, time }),
        owner: owner === undefined ? undefined : ownerEntry(this.table, item, "Put"),
      };
      const outcome = await this.#insert(id, parts, others).catch(async (error) => {
        // An id that may be in use is left to the repair.
        if (!isUncertain(error)) await this.ids.releaseOrTombstone(allocated);
        const isRefusal = error instanceof ApiError && error.code !== "ServiceUnavailable";
        // What `others` refuses may be there because of the same request.
        if (isRefusal && idempotency && (await this.#idempotency.find(idempotency))) return "repeated";
        throw error;
      });
      if (outcome === "written") return { record, replayed: false };
      // The same request was processed at the same time, or another record has the id of a restored counter.
      if (outcome === "key") await this.ids.releaseOrTombstone(allocated);
    }
    throw tooManyConflicts();
  }

  /** @throws ApiError `ServiceUnavailable`, and what `others` throws */
  async #insert<Name extends string>(
    id: number,
    parts: TransactionParts<"record" | "key" | "owner">,
    others: Others<Name, [id: number]> | undefined,
  ): Promise<"written" | "key" | "record"> {
    let refused: ReadonlyMap<Name | "record" | "key" | "owner", unknown> = new Map();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await backOff(attempt);
      const more = await others?.(id, refused as Refused<Name>);
      refused = await transact(this.client, { ...parts, ...more } as TransactionParts<
        Name | "record" | "key"
      >);
      if (refused.size === 0) return "written";
      if (refused.has("record")) return "record";
      if (refused.has("key")) return "key";
    }
    throw tooManyConflicts();
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
   * Changes a record, whatever it is. One call, and one more for each newer revision. @param changesAt gets its time
   * @throws ApiError `ServiceUnavailable`, also if the change may have been made and then replaced
   */
  async overwrite(id: number, changesAt: (time: string) => Changes<T>): Promise<T | undefined> {
    if (id < 1) return undefined;
    let after: string | undefined;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await backOff(attempt);
      const revision = newRevision(this.#time(), after);
      const fields = definedFields(changesAt(new Date(revisionTime(revision)).toISOString()));
      if (Object.keys(fields).length === 0) return this.get(id);
      const condition = allOf(isOlderThan(revision), this.#isOwn());
      const update = { ...this.keyOf(id), ...updateOf({ ...fields, revision }, condition) };
      const { isDone, item, isUncertain } = await updateItem(this.client, update);
      if (isDone || item.revision === revision) return this.decode(item);
      if (item.pk === undefined || !this.sees(item)) return undefined;
      // An earlier attempt may have made the change, which another one has replaced.
      if (isUncertain) throw tooManyConflicts();
      after = String(item.revision);
    }
    throw tooManyConflicts();
  }

  /** Changes a record depending on what it is. Two calls, and two more for each concurrent change. */
  async change<Name extends string = never>(
    id: number,
    changesOf: (record: T) => Changes<T>,
    others?: Others<Name>,
  ): Promise<T | undefined> {
    let refused: ReadonlyMap<Name | "record", unknown> = new Map();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await backOff(attempt);
      const prepared = await this.prepareChange(id, changesOf);
      if (prepared === undefined) return undefined;
      const more = await others?.(refused as Refused<Name>);
      const parts = { record: prepared.write, ...more } as TransactionParts<Name | "record">;
      if (Object.values(parts).flat().length === 0) return prepared.record;
      refused = await transact(this.client, parts);
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
    const after = { ...fields, revision: newRevision(this.#time(), before.revision as string) };
    const Update = { ...this.keyOf(id), ...updateOf(after, isSameVersion(before)) };
    return { record: this.decode({ ...before, ...after }), write: [{ Update }] };
  }

  #time(): number {
    return this.#now?.().getTime() ?? Date.now();
  }

  /**
   * Deletes a record, its entry in the owner's partition, and others. One call, and one more for a record of somebody
   * else. With a precondition, which may be any rule that throws: two, and two more for each concurrent change.
   */
  async remove(id: number, precondition?: Precondition<T>, others: readonly TransactionItem[] = []) {
    let item: StoredItem | undefined = { owner: this.onlyOwner };
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await backOff(attempt);
      if (precondition || id < 1) item = await this.read(id);
      if (item === undefined || !this.sees(item)) return false;
      precondition?.(this.decode(item));
      const isSame = precondition ? isSameVersion(item) : unchanged({ owner: item.owner });
      const condition = allOf(itemExists, isSame);
      const refused = await transact(this.client, {
        record: {
          Delete: { ...this.keyOf(id), ...condition, ReturnValuesOnConditionCheckFailure: "ALL_OLD" },
        },
        id: this.ids.tombstone(id),
        others,
        owner: ownerEntry(this.table, { sk: id, owner: item.owner }, "Delete"),
      });
      if (refused.size === 0) return true;
      item = refused.get("record");
    }
    throw tooManyConflicts();
  }

  #isOwn(): Condition {
    return this.onlyOwner === undefined ? itemExists : unchanged({ owner: this.onlyOwner });
  }
}

function isOlderThan(revision: string): Condition {
  return {
    ConditionExpression: "attribute_not_exists(revision) OR revision < :revision",
    ExpressionAttributeValues: { ":revision": revision },
  };
}

function isSameVersion(item: StoredItem): Condition {
  return unchanged({ revision: undefined, ...item });
}
