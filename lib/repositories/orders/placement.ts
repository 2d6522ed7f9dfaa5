import { randomInt } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { ApiError } from "../../domain/errors.ts";
import type { IdempotencyContext } from "../../domain/idempotency.ts";
import { checkCart } from "../../domain/orders.ts";
import { backOff, MAX_ATTEMPTS, tooManyConflicts } from "../../dynamodb/contention.ts";
import { decode, withoutDamaged } from "../../dynamodb/decode.ts";
import { itemExists, itemIsAbsent, unchanged } from "../../dynamodb/expressions.ts";
import { getItem, mapConcurrently, queryAll, rangeQuery } from "../../dynamodb/query.ts";
import { transact } from "../../dynamodb/writes.ts";
import { Idempotency } from "../../records/idempotency.ts";
import { RecordRepository, type Refused } from "../../records/record-repository.ts";
import type { CartItem, Order } from "../../validators/order.ts";
import { ProductsRepository } from "../products.ts";
import { StoredOrder } from "./orders.ts";

/** A pending order costs four write units of a partition, which takes 1,000 a second. */
export const PARTITIONS = [0, 1, 2, 3].map((n) => `pending#${n}`);
/** Far longer than the 20 s that a function works on one request. */
const ABANDONED_AFTER_MS = 60_000;
/** How often one process completes abandoned orders, and how many at most: a request waits for them. */
const COMPLETION_INTERVAL_MS = 60_000;
const MAX_COMPLETED = 20;

const PendingKey = z.object({ pk: z.string(), sk: z.int() });

const PendingOrder = z.extend(PendingKey, {
  order: StoredOrder,
  owner: z.optional(z.string()),
  /** The idempotency entry, which the order completes. */
  entry: z.optional(z.record(z.string(), z.unknown())),
});
type PendingOrder = z.output<typeof PendingOrder>;

/** What the idempotency entry stores: the key of the pending order, then what the order has beyond its request. */
const PlacedOrder = z.object({ id: z.int(), total: z.number(), time: z.string() });
const EntryResult = z.union([PlacedOrder, PendingKey]);

interface CompletionOptions {
  readonly isDryRun?: boolean | undefined;
  readonly abandonedAfterMs?: number | undefined;
  readonly limit?: number;
}

/**
 * Turns carts into orders in two transactions (docs/writes.md): the first one deducts the stock and stores the order
 * as pending, the second one creates it under the next id. A pending order whose process has died is completed by the
 * next request with its key, by other orders a minute later, or by the daily repair.
 */
export class OrderPlacement {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #now: () => Date;
  readonly #products: ProductsRepository;
  readonly #orders: RecordRepository<Order>;
  readonly #idempotency: Idempotency;
  #completedAt: number;

  /** Create one per process: it completes abandoned orders once a minute. */
  constructor(client: DynamoDBClient, tables: Record<"orders" | "products", string>, now: () => Date) {
    this.#client = client;
    this.#table = tables.orders;
    this.#now = now;
    this.#products = new ProductsRepository(client, tables.products);
    this.#orders = new RecordRepository<Order>(client, tables.orders, StoredOrder);
    this.#idempotency = new Idempotency(client, tables.orders);
    this.#completedAt = now().getTime();
  }

  /**
   * Places an order. Four calls in sequence, and one more with an idempotency key. A refused one changes nothing.
   * @param owner the order's, where records have owners
   * @throws ApiError `ServiceUnavailable`: the order may still be placed
   */
  async place(userId: number, cart: readonly CartItem[], idempotency?: IdempotencyContext, owner?: string) {
    // At the same time, so that a request takes no longer when the database does not respond.
    const housekeeping = this.#completeOthers();
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        await backOff(attempt);
        const placed = idempotency && (await this.#findPlaced(userId, cart, idempotency));
        if (placed) return { record: placed, replayed: true };
        const pending = await this.#deduct(userId, cart, idempotency, owner).catch((error) =>
          this.#throwUnlessOrdered(error, idempotency),
        );
        const record = pending && (await this.#complete(pending));
        if (record) return { record, replayed: false };
        // Another process has completed it, and without a key nobody can tell under which id.
        if (pending && !idempotency) break;
      }
      throw tooManyConflicts();
    } finally {
      await housekeeping;
    }
  }

  /**
   * What an earlier request with the key has ordered, which it completes; undefined also while another process does.
   */
  async #findPlaced(userId: number, cart: readonly CartItem[], idempotency: IdempotencyContext) {
    const stored = await this.#idempotency.find(idempotency);
    if (stored === undefined) return undefined;
    const result = EntryResult.parse(stored);
    if ("id" in result) return { id: result.id, ...newOrder(userId, cart, result.total, result.time) };
    const pending = await getItem(this.#client, this.#table, result);
    return pending && this.#complete(decode(PendingOrder, pending));
  }

  /** @returns undefined if a product has changed since it was read, or the key is used */
  async #deduct(
    userId: number,
    cart: readonly CartItem[],
    idempotency: IdempotencyContext | undefined,
    owner: string | undefined,
  ): Promise<PendingOrder | undefined> {
    const products = await this.#products.getMany(cart.map(({ product_id }) => product_id));
    const { total, deductions } = checkCart(cart, products);
    const sk = randomInt(2 ** 48 - 1);
    const key = { pk: PARTITIONS[sk % PARTITIONS.length] as string, sk };
    const entry = idempotency && this.#idempotency.entry(idempotency, key);
    const order = newOrder(userId, cart, total, this.#now().toISOString());
    const pending = { ...key, order, owner, entry: entry?.Put.Item };
    const refused = await transact(this.#client, {
      pending: { Put: { TableName: this.#table, Item: pending, ...itemIsAbsent } },
      entry,
      stock: deductions.map(({ product_id, quantity, product }) => ({
        Update: {
          ...this.#products.keyOf(product_id),
          UpdateExpression: "SET stock = stock - :quantity",
          ConditionExpression: "stock >= :quantity AND price = :price",
          ExpressionAttributeValues: { ":quantity": quantity, ":price": product.price },
        },
      })),
    });
    return refused.size === 0 ? pending : undefined;
  }

  /** @returns undefined if an earlier request with the key may have ordered what is refused now */
  async #throwUnlessOrdered(error: unknown, idempotency: IdempotencyContext | undefined): Promise<undefined> {
    const isRefusal = error instanceof ApiError && error.code !== "ServiceUnavailable";
    if (!isRefusal || !idempotency || !(await this.#idempotency.find(idempotency))) throw error;
  }

  /** Creates the order under the next id. Of several that try, one succeeds; undefined for the others. */
  async #complete({ pk, sk, order, owner, entry }: PendingOrder): Promise<Order | undefined> {
    let isCompleted = false;
    const deletion = { Delete: { TableName: this.#table, Key: { pk, sk }, ...itemExists } };
    const others = (id: number, refused: Refused<"pending" | "entry">) => {
      isCompleted = refused.has("pending");
      if (isCompleted) throw tooManyConflicts();
      // After a day the key can be another request's.
      if (entry === undefined || refused.has("entry")) return { pending: deletion, entry: undefined };
      const result = { id, total: order.total, time: order.created_at };
      const isOurs = unchanged({ result: { pk, sk } });
      const put = { Put: { TableName: this.#table, Item: { ...entry, result }, ...isOurs } };
      return { pending: deletion, entry: put };
    };
    try {
      return (await this.#orders.create(order, undefined, { others, owner })).record;
    } catch (error) {
      if (isCompleted) return undefined;
      throw error;
    }
  }

  /** At most once a minute. No order fails because of it: what fails is tried again, and by the repair. */
  async #completeOthers(): Promise<void> {
    const now = this.#now().getTime();
    if (now - this.#completedAt < COMPLETION_INTERVAL_MS) return;
    this.#completedAt = now;
    await Promise.allSettled([this.completeAbandoned({ limit: MAX_COMPLETED })]);
  }

  /** Completes orders whose process has died. Of more than the limit, any. @returns how many, also in a dry run */
  async completeAbandoned({
    isDryRun = false,
    abandonedAfterMs = ABANDONED_AFTER_MS,
    limit = Number.POSITIVE_INFINITY,
  }: CompletionOptions = {}): Promise<number> {
    const stored = await mapConcurrently(PARTITIONS, (pk) =>
      queryAll(this.#client, rangeQuery(this.#table, pk)),
    );
    const pending = withoutDamaged(stored.flat(), (item) => decode(PendingOrder, item));
    const isOld = ({ order }: PendingOrder) =>
      this.#now().getTime() - Date.parse(order.created_at) >= abandonedAfterMs;
    const old = pending.filter(isOld);
    // Processes that do this at the same time begin at different ones.
    const start = old.length > limit ? randomInt(old.length) : 0;
    const abandoned = [...old.slice(start), ...old.slice(0, start)].slice(0, limit);
    if (isDryRun) return abandoned.length;
    // One that fails keeps no other from being tried, and leaves none running.
    const ended = await mapConcurrently(abandoned, (each) => Promise.allSettled([this.#complete(each)]));
    for (const [outcome] of ended) if (outcome.status === "rejected") throw outcome.reason;
    return abandoned.length;
  }
}

function newOrder(userId: number, cart: readonly CartItem[], total: number, time: string): Omit<Order, "id"> {
  return { user_id: userId, items: [...cart], total, status: "pending", created_at: time, updated_at: time };
}
