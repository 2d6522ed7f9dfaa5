import { randomInt } from "node:crypto";
import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import type { StockDeduction } from "../../domain/cart.ts";
import { ApiError } from "../../domain/errors.ts";
import type { IdempotencyContext } from "../../domain/idempotency.ts";
import type { Order } from "../../validators/order.ts";
import { cancellationCodes, isAnswered, isErrorNamed } from "../dynamodb/client.ts";
import { decode, withoutDamaged } from "../dynamodb/decode.ts";
import { conditionFailureItem, itemExists, itemIsAbsent, updateOf } from "../dynamodb/expressions.ts";
import { mapConcurrently, queryAll, rangeQuery } from "../dynamodb/query.ts";
import type { TransactionItem } from "../dynamodb/transaction.ts";
import { tooManyConflicts } from "../records/contention.ts";
import { recordKey } from "../records/id-blocks.ts";
import { Idempotency } from "../records/idempotency.ts";
import { ENTRY_PREFIX, isFromWrongClock, newRevision } from "../records/revision.ts";

/**
 * Each reservation of up to 1 KB costs 4 write units, to write and to delete it: four partitions carry as many of them as
 * the id counter can count.
 */
export const PARTITIONS = [0, 1, 2, 3].map((n) => `reserved-${n}`);
/** Far longer than the 20 s that a function works on one request. */
export const ABANDONED_AFTER_MS = 60_000;
/** As long as DynamoDB recognizes the token of a transaction: no attempt arrives later. */
const ENTRY_LIFETIME_MS = 10 * 60_000;
/** Fewer names than the 4 KB that DynamoDB accepts as an expression. */
const MAX_REMOVALS = 100;

const StoredReservation = z.object({
  pk: z.string(),
  sk: z.int(),
  reserved_at: z.string(),
  deductions: z.array(z.object({ product_id: z.int(), quantity: z.int() })),
  /** The key of the order's idempotency entry, which is deleted together with a released reservation. */
  idempotency_key: z.optional(z.object({ pk: z.string(), sk: z.int() })),
  /** The attribute of the only product that says whether its stock has been deducted: the quantity, or 0 if it never will be. */
  entry: z.optional(z.string()),
});

/** A stored note of the stock that is deducted for an order that is not written yet. */
export type Reservation = z.output<typeof StoredReservation> & {
  /** The product's entries that nobody needs once the order is written. */
  readonly obsolete?: readonly string[];
};

/** Table names. */
export interface OrderTables {
  /** Also holds the reservations. */
  readonly orders: string;
  readonly products: string;
}

/**
 * The reservations, and the three transactions that change them: `reserve` decides an order, then either
 * `complete` writes it or `release` returns its stock. Both require the reservation to exist and delete it, so
 * that only one of them can ever succeed (docs/adr/0007). Each change of a stock is counted in `stockChanges`, so that
 * a product whose stock is back where it was differs from the one that was read.
 *
 * Transactions on one item cancel each other. So the stock of an only product is deducted by a plain write, which waits
 * for others and leaves an entry.
 */
export class Reservations {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: OrderTables;
  readonly #now: () => Date;
  readonly #idempotency: Idempotency;

  constructor(client: DynamoDBDocumentClient, tables: OrderTables, now: () => Date) {
    this.#client = client;
    this.#tables = tables;
    this.#now = now;
    this.#idempotency = new Idempotency(client, tables.orders);
  }

  /**
   * Writes the reservation and the idempotency entry, and deducts the stock of all products, or of none. One call; two
   * for a single product.
   *
   * @param deductions at most `MAX_PRODUCTS`, one per product
   * @returns undefined when a price, a stock or the idempotency entry has changed: check the cart again
   */
  async reserve(
    deductions: readonly StockDeduction[],
    idempotency?: IdempotencyContext,
  ): Promise<Reservation | undefined> {
    const { orders, products } = this.#tables;
    const sk = randomInt(2 ** 48 - 1);
    const now = this.#now();
    const reserved_at = now.toISOString();
    const [only] = deductions.length === 1 ? deductions : [];
    const reservation = StoredReservation.parse({
      pk: PARTITIONS[sk % PARTITIONS.length],
      sk,
      reserved_at,
      deductions,
      idempotency_key: idempotency && this.#idempotency.keyOf(idempotency),
      entry: only && ENTRY_PREFIX + newRevision(now.getTime()),
    });
    const ClientRequestToken = crypto.randomUUID();
    const transaction = new TransactWriteCommand({
      ClientRequestToken,
      TransactItems: [
        { Put: { TableName: orders, Item: reservation, ...itemIsAbsent } },
        ...(idempotency ? [this.#idempotency.entry(idempotency, { reserved_at })] : []),
        ...(only ? [] : deductions.map((deduction) => ({ Update: deductionOf(products, deduction) }))),
      ],
    });
    try {
      await this.#client.send(transaction);
    } catch (error) {
      const cause = error instanceof ApiError ? error.cause : error;
      // An attempt may have been committed although its response was lost, or may still be.
      if (!isAnswered(cause)) await this.#cancel(reservation, ClientRequestToken);
      if (cancellationCodes(cause)?.includes("ConditionalCheckFailed")) return undefined;
      throw error;
    }
    return only ? this.#deduct(reservation, only) : reservation;
  }

  /** Deducts the stock of the only product, once: its entry keeps repeated and late attempts away. */
  async #deduct(reservation: Reservation, deduction: StockDeduction): Promise<Reservation | undefined> {
    const { entry = "" } = reservation;
    const update = new UpdateCommand({
      ...deductionOf(this.#tables.products, deduction, entry),
      ReturnValues: "ALL_NEW",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    try {
      const output = await this.#client.send(update);
      const oldest = ENTRY_PREFIX + newRevision(this.#now().getTime() - ENTRY_LIFETIME_MS);
      const entries = Object.keys(output.Attributes ?? {}).filter((name) => name.startsWith(ENTRY_PREFIX));
      const obsolete = entries.sort().filter((name) => (name === entry ? isAnswered(output) : name < oldest));
      return { ...reservation, obsolete: obsolete.slice(-MAX_REMOVALS) };
    } catch (error) {
      const current = conditionFailureItem(error);
      if (Number(current?.[entry]?.N) > 0) return reservation;
      // If all attempts were refused, none can arrive late, and the product needs no entry.
      const isRefused = isAnswered(error instanceof ApiError ? error.cause : error);
      await this.release(isRefused ? { ...reservation, deductions: [] } : reservation);
      if (current) return undefined;
      throw error;
    }
  }

  /**
   * Ends a reservation whose outcome is unknown. DynamoDB refuses a token that another transaction has used: no late
   * attempt can write the reservation afterwards.
   */
  async #cancel(reservation: Reservation, ClientRequestToken: string): Promise<void> {
    const { pk, sk } = reservation;
    const isAbsent = { ConditionCheck: { TableName: this.#tables.orders, Key: { pk, sk }, ...itemIsAbsent } };
    try {
      await this.#client.send(new TransactWriteCommand({ ClientRequestToken, TransactItems: [isAbsent] }));
    } catch (error) {
      if (!isErrorNamed(error, "IdempotentParameterMismatchException")) throw error;
      await this.release(reservation);
    }
  }

  /**
   * Writes the order, deletes its reservation and stores the result in the idempotency entry. One call.
   *
   * @returns false when another record has the order's id
   * @throws ApiError `ServiceUnavailable`, also when the reservation has been released
   */
  async complete(
    reservation: Reservation,
    { id, ...fields }: Order,
    idempotency: IdempotencyContext | undefined,
  ): Promise<boolean> {
    const { orders } = this.#tables;
    const { total, created_at: time } = fields;
    const transaction = new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName: orders, Item: { ...recordKey(id), ...fields }, ...itemIsAbsent } },
        this.#deletion(reservation),
        ...(idempotency ? [this.#idempotency.replacement(idempotency, { id, total, time })] : []),
      ],
    });
    try {
      await this.#client.send(transaction);
    } catch (error) {
      const [put, deletion] = cancellationCodes(error) ?? [];
      if (deletion === "ConditionalCheckFailed") throw tooManyConflicts(error);
      if (put === "ConditionalCheckFailed") return false;
      throw error;
    }
    await this.#removeEntries(reservation);
    return true;
  }

  /**
   * Releases abandoned reservations first if there are entries of other orders: their stock is returned by their entries.
   * It may fail: later orders remove entries that are old.
   */
  async #removeEntries({ deductions: [only], entry, obsolete = [] }: Reservation): Promise<void> {
    if (only === undefined || obsolete.length === 0) return;
    const removal = new UpdateCommand({
      TableName: this.#tables.products,
      Key: recordKey(only.product_id),
      ...updateOf({}, itemExists, obsolete),
    });
    const isOwn = obsolete.every((name) => name === entry);
    const released = isOwn ? Promise.resolve() : this.releaseAbandoned();
    await Promise.allSettled([released.then(() => this.#client.send(removal))]);
  }

  /**
   * Deletes a reservation and its idempotency entry, and returns the stock. Products that have been deleted are
   * left out.
   *
   * @returns false when the reservation does not exist: it was completed or released, or never written
   */
  async release(reservation: Reservation): Promise<boolean> {
    const { deductions, idempotency_key, entry } = reservation;
    const { orders, products } = this.#tables;
    const deducted = entry ? "if_not_exists(#entry, :none), #entry = :none" : ":quantity";
    let returned = deductions;
    for (;;) {
      const transaction = new TransactWriteCommand({
        TransactItems: [
          this.#deletion(reservation),
          ...returned.map(({ product_id, quantity }) => ({
            Update: {
              TableName: products,
              Key: recordKey(product_id),
              ...itemExists,
              UpdateExpression: `SET stock = stock + ${deducted} ADD stockChanges :one`,
              ...(entry && { ExpressionAttributeNames: { "#entry": entry } }),
              ExpressionAttributeValues: {
                ":one": 1,
                ...(entry ? { ":none": 0 } : { ":quantity": quantity }),
              },
            },
          })),
          ...(idempotency_key ? [{ Delete: { TableName: orders, Key: idempotency_key } }] : []),
        ],
      });
      try {
        await this.#client.send(transaction);
        return true;
      } catch (error) {
        const [deletion, ...updates] = cancellationCodes(error) ?? [];
        if (deletion === "ConditionalCheckFailed") return false;
        const existing = returned.filter((_, i) => updates[i] !== "ConditionalCheckFailed");
        if (existing.length === returned.length) throw error;
        returned = existing;
      }
    }
  }

  #deletion({ pk, sk }: Reservation): TransactionItem {
    return { Delete: { TableName: this.#tables.orders, Key: { pk, sk }, ...itemExists } };
  }

  /**
   * Finds the reservations that a crash left behind, and those from a wrong clock, which would never become old. One query
   * per partition, in parallel.
   */
  async findAbandoned(olderThanMs = ABANDONED_AFTER_MS): Promise<Reservation[]> {
    const now = this.#now();
    const before = new Date(now.getTime() - olderThanMs).toISOString();
    const found = await mapConcurrently(PARTITIONS, (pk) =>
      queryAll(this.#client, rangeQuery(this.#tables.orders, pk)),
    );
    const decoded = withoutDamaged(found.flat(), (item) => decode(StoredReservation, item));
    return decoded.filter(({ reserved_at: time }) => time < before || isFromWrongClock(time, now));
  }

  /** Releases the reservations that a crash left behind. @returns how many were released */
  async releaseAbandoned(olderThanMs = ABANDONED_AFTER_MS): Promise<number> {
    const abandoned = await this.findAbandoned(olderThanMs);
    const released = await mapConcurrently(abandoned, (reservation) => this.release(reservation));
    return released.filter(Boolean).length;
  }
}

/** @param entry of an only product's reservation */
function deductionOf(TableName: string, { product_id, quantity, price }: StockDeduction, entry?: string) {
  return {
    TableName,
    Key: recordKey(product_id),
    UpdateExpression: `SET stock = stock - :quantity${entry ? ", #entry = :quantity" : ""} ADD stockChanges :one`,
    ConditionExpression: `stock >= :quantity AND price = :price${entry ? " AND attribute_not_exists(#entry)" : ""}`,
    ...(entry && { ExpressionAttributeNames: { "#entry": entry } }),
    ExpressionAttributeValues: { ":quantity": quantity, ":price": price, ":one": 1 },
  };
}
