import { randomInt } from "node:crypto";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import type { IdempotencyContext } from "../../domain/idempotency.ts";
import type { ItemKey } from "../../dynamodb/batch.ts";
import { isUncertain } from "../../dynamodb/client.ts";
import { tooManyConflicts } from "../../dynamodb/contention.ts";
import { decode, withoutDamaged } from "../../dynamodb/decode.ts";
import { itemIsAbsent, updateOf } from "../../dynamodb/expressions.ts";
import { mapConcurrently, queryAll, rangeQuery, type StoredItem } from "../../dynamodb/query.ts";
import { transact } from "../../dynamodb/transaction.ts";
import { deleteItem, updateItem } from "../../dynamodb/update.ts";
import { newOperation } from "../../records/exactly-once.ts";
import { recordKey } from "../../records/id-blocks.ts";
import { Idempotency } from "../../records/idempotency.ts";
import { ownerEntry } from "../../records/record-repository.ts";
import { isFromWrongClock } from "../../records/revision.ts";
import type { Order } from "../../validators/order.ts";
import { type ReadDeduction, Stock } from "./stock.ts";

/** Each reservation costs 4 write units: four partitions carry as many as the id counter can count. */
export const PARTITIONS = [0, 1, 2, 3].map((n) => `reserved-${n}`);
/** Far longer than the 20 s that a function works on one request. */
export const ABANDONED_AFTER_MS = 60_000;

const StoredReservation = z.object({
  pk: z.string(),
  sk: z.int(),
  reserved_at: z.string(),
  deductions: z.array(z.object({ product_id: z.int(), quantity: z.int() })),
  /** Of the idempotency entry, which is deleted when the reservation is released. */
  idempotency_key: z.optional(z.object({ pk: z.string(), sk: z.int() })),
  /** The operation on each product. */
  entry: z.string(),
  /** Once the order is written. */
  order_id: z.optional(z.int()),
});

export type Reservation = z.output<typeof StoredReservation>;

/** A reservation whose stock is deducted. */
export interface Deducted extends Reservation {
  /** How often the stock of each product had changed then, in their order (docs/adr/0029). */
  readonly changes: readonly number[];
}

export interface OrderTables {
  /** Also holds the reservations. */
  readonly orders: string;
  readonly products: string;
}

/**
 * The reservations: each says what an order deducts. `complete` writes the order, `release` returns the
 * stock, and only one of them can ever succeed (docs/adr/0026).
 */
export class Reservations {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => Date;
  readonly #stock: Stock;
  readonly #idempotency: Idempotency;
  /** Those of written orders that could not be deleted yet. */
  readonly #unfinished: Reservation[] = [];

  constructor(client: DynamoDBDocumentClient, tables: OrderTables, now: () => Date) {
    this.#client = client;
    this.#table = tables.orders;
    this.#now = now;
    this.#stock = new Stock(client, tables.products);
    this.#idempotency = new Idempotency(client, tables.orders);
  }

  /**
   * Writes the reservation, claims the idempotency key, and deducts the stock of all products, or of none.
   * Two calls in sequence.
   *
   * @param deductions at most `MAX_PRODUCTS`, one per product
   * @returns undefined if the key is claimed or a product has changed: check the cart again
   */
  async reserve(
    deductions: readonly ReadDeduction[],
    idempotency?: IdempotencyContext,
  ): Promise<Deducted | undefined> {
    const sk = randomInt(2 ** 48 - 1);
    const operation = newOperation();
    const reservation = StoredReservation.parse({
      pk: PARTITIONS[sk % PARTITIONS.length],
      sk,
      reserved_at: this.#now().toISOString(),
      deductions,
      idempotency_key: idempotency && this.#idempotency.keyOf(idempotency),
      entry: operation,
    });
    const fields = { ...reservation, pk: undefined, sk: undefined };
    const write = { ...this.#keyOf(reservation), ...updateOf(fields, itemIsAbsent) };
    const prepared = await Promise.all([
      outcomeOf(updateItem(this.#client, write)),
      outcomeOf(idempotency ? this.#idempotency.claim(idempotency, claimOf(reservation)) : true),
    ]);
    const outcomes = await mapConcurrently(prepared.some(isFailure) ? [] : deductions, async (deduction) => ({
      product_id: deduction.product_id,
      outcome: await outcomeOf(this.#stock.deduct(operation, deduction)),
    }));
    const failures = [...prepared, ...outcomes.map(({ outcome }) => outcome)].filter(isFailure);
    if (failures.length === 0)
      return { ...reservation, changes: outcomes.map(({ outcome }) => Number(outcome)) };
    const deducted = outcomes
      .filter(({ outcome }) => !isFailure(outcome) || isUncertain(outcome))
      .map(({ product_id, outcome }) => ({ product_id, mayArrive: isFailure(outcome) }));
    await this.#undo(reservation, deducted);
    for (const failure of failures) if (failure instanceof Error) throw failure;
    return undefined;
  }

  /**
   * Writes the order and the result of its idempotency key; false if another record has the id. One call.
   *
   * @throws ApiError `ServiceUnavailable`, also when the reservation has been released
   */
  async complete(
    reservation: Deducted,
    { id, ...fields }: Order,
    idempotency: IdempotencyContext | undefined,
    owner: string | undefined,
  ): Promise<boolean> {
    const { total, created_at: time } = fields;
    const { entry: operation, changes } = reservation;
    const Item = { ...recordKey(id), ...fields, operation, changes, ...(owner !== undefined && { owner }) };
    const refused = await transact(this.#client, {
      order: { Put: { TableName: this.#table, Item, ...itemIsAbsent } },
      entry: ownerEntry(this.#table, Item, "Put"),
      reservation: { Update: { ...this.#keyOf(reservation), ...updateOf({ order_id: id }, isNotReleased) } },
      key: idempotency && this.#idempotency.replacement(idempotency, { id, total, time }),
    });
    if (refused.has("reservation")) throw tooManyConflicts();
    return refused.size === 0;
  }

  /**
   * Removes the operations of a written order, then its reservation. Two calls in sequence. It may fail: the
   * next order tries again, and others after a minute.
   */
  async finish(...reservations: readonly Reservation[]): Promise<void> {
    const unfinished = [...this.#unfinished.splice(0), ...reservations];
    await mapConcurrently(unfinished, async (reservation) => {
      const { entry: operation, deductions } = reservation;
      try {
        await mapConcurrently(deductions, ({ product_id }) =>
          this.#stock.removeOperation(operation, product_id),
        );
        await deleteItem(this.#client, this.#keyOf(reservation));
      } catch {
        this.#unfinished.push(reservation);
      }
    });
  }

  /**
   * Returns the stock and the idempotency key, unless the order is written; true if stock may have been
   * returned. Up to five calls in sequence.
   *
   * @param mayArrive whether a deduction may still arrive: its process may be slow only
   */
  async release(reservation: Reservation, mayArrive = true): Promise<boolean> {
    const { isDone, item } = await updateItem(this.#client, {
      ...this.#keyOf(reservation),
      ...updateOf({ released: true }, isNotOrdered),
    });
    const deducted = reservation.deductions.map(({ product_id }) => ({ product_id, mayArrive }));
    if (isDone) await this.#undo(reservation, deducted);
    else if (item.order_id !== undefined) await this.finish(reservation);
    return isDone;
  }

  async #undo(
    reservation: Reservation,
    deducted: readonly { readonly product_id: number; readonly mayArrive: boolean }[],
  ): Promise<void> {
    const { entry: operation, idempotency_key } = reservation;
    await mapConcurrently(deducted, ({ product_id, mayArrive }) =>
      this.#stock.return(operation, product_id, mayArrive),
    );
    if (idempotency_key) await this.#idempotency.unclaim(idempotency_key, claimOf(reservation));
    await deleteItem(this.#client, this.#keyOf(reservation));
  }

  #keyOf({ pk, sk }: ItemKey) {
    return { TableName: this.#table, Key: { pk, sk } };
  }

  /**
   * Ends a request that a crash left behind; false if it may be running. One call, and `releaseAbandoned`.
   */
  async endClaim(idempotency: IdempotencyContext, claim: StoredItem): Promise<boolean> {
    if (!this.#isAbandoned({ reserved_at: String(claim.reserved_at) })) return false;
    await this.releaseAbandoned();
    await this.#idempotency.unclaim(this.#idempotency.keyOf(idempotency), claim);
    return true;
  }

  #isAbandoned(
    { reserved_at: time }: Pick<Reservation, "reserved_at">,
    olderThanMs = ABANDONED_AFTER_MS,
  ): boolean {
    const now = this.#now();
    return now.getTime() - Date.parse(time) > olderThanMs || isFromWrongClock(time, now);
  }

  /** Finds what a crash left behind, and what a wrong clock dated. One query per partition, in parallel. */
  async findAbandoned(olderThanMs = ABANDONED_AFTER_MS): Promise<Reservation[]> {
    const found = await mapConcurrently(PARTITIONS, (pk) =>
      queryAll(this.#client, rangeQuery(this.#table, pk)),
    );
    const decoded = withoutDamaged(found.flat(), (item) => decode(StoredReservation, item));
    return decoded.filter((reservation) => this.#isAbandoned(reservation, olderThanMs));
  }

  /** Releases what `findAbandoned` finds. @returns how many were released */
  async releaseAbandoned(olderThanMs = ABANDONED_AFTER_MS): Promise<number> {
    const abandoned = await this.findAbandoned(olderThanMs);
    const released = await mapConcurrently(abandoned, (reservation) => this.release(reservation));
    return released.filter(Boolean).length;
  }
}

const isNotReleased = { ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(released)" };
const isNotOrdered = { ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(order_id)" };

function claimOf({ reserved_at, sk }: Reservation): StoredItem {
  return { reserved_at, reservation: sk };
}

function isFailure(outcome: unknown): boolean {
  return outcome === false || outcome instanceof Error;
}

/** What a call returns or throws, so that none is left in progress when another one fails. */
async function outcomeOf<T>(call: T | Promise<T>): Promise<T | Error> {
  try {
    return await call;
  } catch (error) {
    return error as Error;
  }
}
