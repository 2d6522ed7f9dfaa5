import { randomInt } from "node:crypto";
import { type DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { StockDeduction } from "../../domain/cart.ts";
import { ApiError } from "../../domain/errors.ts";
import type { IdempotencyContext } from "../../domain/idempotency.ts";
import { CartItem } from "../../validators/order.ts";
import { cancellationCodes } from "../dynamodb/client.ts";
import { mapConcurrently } from "../dynamodb/concurrency.ts";
import { queryAll } from "../dynamodb/query.ts";
import type { TransactionItem } from "../dynamodb/transaction.ts";
import { recordKey } from "../records/id-blocks.ts";
import { Idempotency } from "../records/idempotency.ts";

/** A reservation is written and deleted, at 2 units each: four partitions carry what the counter of ids does. */
const PARTITIONS = [0, 1, 2, 3].map((n) => `reserved-${n}`);
/** Far beyond the 20 s that a function lives for one request. */
export const ABANDONED_AFTER_MS = 60_000;

/** Stock that has been taken for an order which has no id yet. */
const Reservation = z.object({
  pk: z.string(),
  sk: z.int(),
  reserved_at: z.iso.datetime(),
  taken: z.array(CartItem),
  /** The idempotency key that the order is placed under, which goes and stays with the reservation. */
  key: z.object({ pk: z.string(), sk: z.int() }).optional(),
});
export type Reservation = z.output<typeof Reservation>;

interface Tables {
  /** Where the reservations lie, beside the orders. */
  readonly orders: string;
  readonly products: string;
}

/**
 * Stock is taken before an order draws its id, so that an order which cannot be had uses up none
 * (docs/adr/0007). What was taken is written down with it in one transaction, and this reservation is deleted
 * in the one that puts the order: so whoever finds one can give the stock back, and nobody can do both.
 */
export class Reservations {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: Tables;
  readonly #now: () => Date;
  readonly #idempotency: Idempotency;

  /**
   * @param client from `documentClient`
   * @param now the time
   */
  constructor(client: DynamoDBDocumentClient, tables: Tables, now: () => Date) {
    this.#client = client;
    this.#tables = tables;
    this.#now = now;
    this.#idempotency = new Idempotency(client, tables.orders);
  }

  /**
   * Takes the stock of all products, or of none. One call.
   *
   * @param takings at most `MAX_PRODUCTS`, every product once
   * @param idempotency under which key: it is entered with the reservation, so that nobody else begins the same order
   * @returns undefined when some product has no longer that price or that much stock or is no more, when others
   *   kept writing it, or when the key has been entered: then it is worth a look at what they have left
   * @throws ApiError `ServiceUnavailable`; nothing is taken then, or it is given back sooner or later
   */
  async reserve(
    takings: readonly StockDeduction[],
    idempotency?: IdempotencyContext,
  ): Promise<Reservation | undefined> {
    const sk = randomInt(2 ** 48 - 1);
    const reserved_at = this.#now().toISOString();
    const reservation = {
      pk: PARTITIONS[sk % PARTITIONS.length] ?? "",
      sk,
      reserved_at,
      taken: takings.map(({ product_id, quantity }) => ({ product_id, quantity })),
      ...(idempotency && { key: this.#idempotency.keyOf(idempotency) as Reservation["key"] }),
    };
    const entry = idempotency ? [this.#idempotency.entry(idempotency, { reserved_at })] : [];
    const put: TransactionItem = {
      Put: {
        TableName: this.#tables.orders,
        Item: reservation,
        ConditionExpression: "attribute_not_exists(pk)",
      },
    };
    const take = ({ product_id, quantity, price }: StockDeduction): TransactionItem => ({
      Update: {
        TableName: this.#tables.products,
        Key: recordKey(product_id),
        UpdateExpression: "SET stock = stock - :quantity",
        ConditionExpression: "stock >= :quantity AND price = :price",
        ExpressionAttributeValues: { ":quantity": quantity, ":price": price },
      },
    });
    try {
      const items = [put, ...entry, ...takings.map(take)];
      await this.#client.send(new TransactWriteCommand({ TransactItems: items }));
      return reservation;
    } catch (error) {
      if (hasLost(error)) return undefined;
      await this.release(reservation);
      throw error;
    }
  }

  /** The end of a reservation that has become an order: it belongs in the transaction that puts the order. */
  fulfilled({ pk, sk }: Reservation): TransactionItem {
    return {
      Delete: {
        TableName: this.#tables.orders,
        Key: { pk, sk },
        ConditionExpression: "attribute_exists(pk)",
      },
    };
  }

  /**
   * Gives the stock of a reservation back. A product that was deleted meanwhile stays deleted.
   *
   * @returns false when there is no such reservation: it became an order, was released or was never made
   * @throws ApiError `ServiceUnavailable`
   */
  async release(reservation: Reservation): Promise<boolean> {
    let left: readonly CartItem[] = reservation.taken;
    for (;;) {
      try {
        const items = [this.fulfilled(reservation), ...left.map((item) => this.#giveBack(item))];
        const { key } = reservation;
        const entry = key ? [{ Delete: { TableName: this.#tables.orders, Key: key } }] : [];
        await this.#client.send(new TransactWriteCommand({ TransactItems: [...items, ...entry] }));
        return true;
      } catch (error) {
        const [first, ...codes] = cancellationCodes(error) ?? [];
        if (first === "ConditionalCheckFailed") return false;
        const existing = left.filter((_, i) => codes[i] !== "ConditionalCheckFailed");
        if (existing.length === left.length) throw error;
        left = existing;
      }
    }
  }

  /**
   * Gives back what a crash has left reserved. One query per partition in parallel, and a transaction for each
   * that is found.
   *
   * @param afterMs how old it is, in milliseconds, when nobody works on it any more
   * @returns how many reservations were released
   * @throws ApiError `ServiceUnavailable`
   */
  async releaseAbandoned(afterMs = ABANDONED_AFTER_MS): Promise<number> {
    const released = await mapConcurrently(await this.abandoned(afterMs), (reservation) =>
      this.release(reservation),
    );
    return released.filter((wasThere) => wasThere).length;
  }

  /**
   * What a crash has left reserved. One query per partition in parallel.
   *
   * @param afterMs how old it is, in milliseconds, when nobody works on it any more
   * @throws ApiError `ServiceUnavailable`
   */
  async abandoned(afterMs = ABANDONED_AFTER_MS): Promise<Reservation[]> {
    const before = new Date(this.#now().getTime() - afterMs).toISOString();
    const found = await mapConcurrently(PARTITIONS, (pk) =>
      queryAll(this.#client, {
        TableName: this.#tables.orders,
        KeyConditionExpression: "pk = :pk",
        FilterExpression: "reserved_at < :before",
        ExpressionAttributeValues: { ":pk": pk, ":before": before },
      }),
    );
    return found.flat().map((item) => Reservation.parse(item));
  }

  #giveBack({ product_id, quantity }: CartItem): TransactionItem {
    return {
      Update: {
        TableName: this.#tables.products,
        Key: recordKey(product_id),
        UpdateExpression: "SET stock = stock + :quantity",
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeValues: { ":quantity": quantity },
      },
    };
  }
}

/** Whether a transaction was cancelled by what others have done or are doing to its items. */
function hasLost(error: unknown): boolean {
  const codes = cancellationCodes(error instanceof ApiError ? error.cause : error) ?? [];
  return codes.includes("ConditionalCheckFailed") || codes.includes("TransactionConflict");
}
