import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import { checkCart } from "../../domain/cart.ts";
import { ApiError } from "../../domain/errors.ts";
import { type Creation, type IdempotencyContext, idempotencyKeyInUse } from "../../domain/idempotency.ts";
import type { Ownable, Owner } from "../../domain/ownership.ts";
import { backOff, MAX_ATTEMPTS, tooManyConflicts } from "../../dynamodb/contention.ts";
import { IdAllocation } from "../../records/id-allocation.ts";
import { Idempotency } from "../../records/idempotency.ts";
import type { CartItem, Order } from "../../validators/order.ts";
import { type Deducted, type OrderTables, Reservations } from "./reservations.ts";
import { Stock } from "./stock.ts";

/** How often one process looks for abandoned reservations. */
const CLEANUP_INTERVAL_MS = 60_000;

/** Stored in the idempotency entry. */
const PlacedOrder = z.object({ id: z.int(), total: z.number(), time: z.string() });
type PlacedOrder = z.output<typeof PlacedOrder>;

/** Turns carts into orders: reserves the stock, allocates the id, completes the order (docs/adr/0007). */
export class OrderPlacement implements Ownable {
  readonly table: string;
  readonly #now: () => Date;
  readonly #stock: Stock;
  readonly #reservations: Reservations;
  readonly #ids: IdAllocation;
  readonly #idempotency: Idempotency;
  #cleanedUpAt = Number.NEGATIVE_INFINITY;

  constructor(client: DynamoDBDocumentClient, tables: OrderTables, now: () => Date) {
    this.table = tables.orders;
    this.#now = now;
    this.#stock = new Stock(client, tables.products);
    this.#reservations = new Reservations(client, tables, now);
    this.#ids = new IdAllocation(client, tables.orders);
    this.#idempotency = new Idempotency(client, tables.orders);
  }

  /** The same placement, so that it goes on releasing reservations; orders belong to the owner. */
  ownedBy({ username }: Owner): Pick<OrderPlacement, "place"> {
    return { place: (userId, cart, idempotency) => this.place(userId, cart, idempotency, username) };
  }

  /**
   * Places an order. Seven calls in sequence, and one more with an idempotency key. A failed one uses no id.
   *
   * @param userId no user record has to exist
   * @param cart at most `MAX_PRODUCTS` different products
   * @throws ApiError `NotFound`, `InvalidArgument` or `ValidationError` for a rejected cart; `Conflict` while
   *   the key is in use; `ServiceUnavailable`, also when prices change faster than they can be read
   */
  async place(
    userId: number,
    cart: readonly CartItem[],
    idempotency: IdempotencyContext | undefined,
    owner?: string,
  ): Promise<Creation<Order>> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await backOff(attempt);
      const placed = idempotency && (await this.#findPlaced(idempotency));
      if (placed) return { record: { id: placed.id, ...newOrder(userId, cart, placed) }, replayed: true };

      const checked = await this.#check(cart, idempotency);
      if (checked === undefined) continue;
      const { total, deductions } = checked;
      const reservation = await this.#reservations.reserve(deductions, idempotency);
      if (reservation === undefined) continue;

      const order = newOrder(userId, cart, { total, time: this.#now().toISOString() });
      return { record: await this.#complete(reservation, order, idempotency, owner), replayed: false };
    }
    throw tooManyConflicts();
  }

  /** Releases an abandoned reservation of an earlier request with the key. */
  async #findPlaced(idempotency: IdempotencyContext): Promise<PlacedOrder | undefined> {
    const result = await this.#idempotency.find(idempotency);
    if (result === undefined) return undefined;
    const { success, data: placed } = PlacedOrder.safeParse(result);
    if (success) return placed;
    if (!(await this.#reservations.endClaim(idempotency, result))) throw idempotencyKeyInUse(idempotency);
    return this.#findPlaced(idempotency);
  }

  /** Undefined when a product is busy, or an earlier request with the key may have taken the stock. */
  async #check(cart: readonly CartItem[], idempotency: IdempotencyContext | undefined) {
    for (;;) {
      const products = await this.#stock.read(cart.map(({ product_id }) => product_id));
      if (products === undefined) {
        // Its operations may be ours, or of dead processes.
        await Promise.all([this.#reservations.finish(), this.#cleanUp()]);
        return undefined;
      }
      try {
        return checkCart(cart, products);
      } catch (error) {
        const isInsufficient = error instanceof ApiError && error.code === "InvalidArgument";
        if (isInsufficient && (await this.#cleanUp())) continue;
        if (idempotency && (await this.#idempotency.find(idempotency))) return undefined;
        throw error;
      }
    }
  }

  /** At most once a minute; true when there were some. */
  async #cleanUp(): Promise<boolean> {
    const now = this.#now().getTime();
    if (Math.abs(now - this.#cleanedUpAt) < CLEANUP_INTERVAL_MS) return false;
    this.#cleanedUpAt = now;
    return (await this.#reservations.releaseAbandoned()) > 0;
  }

  async #complete(
    reservation: Deducted,
    fields: Omit<Order, "id">,
    idempotency: IdempotencyContext | undefined,
    owner: string | undefined,
  ): Promise<Order> {
    let order: Order | undefined;
    try {
      for (let isWritten = false; !isWritten; ) {
        const { id } = await this.#ids.allocate();
        order = { id, ...fields };
        // Otherwise another record has the id: the counter was set back, for instance by restoring a backup.
        isWritten = await this.#reservations.complete(reservation, order, idempotency, owner);
      }
    } catch (error) {
      // From here on no attempt in flight can write the order, and it is safe to release its id.
      await this.#reservations.release(reservation, false);
      if (order && (await this.#ids.releaseOrTombstone(order.id))) return order;
      throw error;
    }
    await this.#reservations.finish(reservation);
    return order as Order;
  }
}

function newOrder(
  userId: number,
  cart: readonly CartItem[],
  { total, time }: Omit<PlacedOrder, "id">,
): Omit<Order, "id"> {
  return { user_id: userId, items: [...cart], total, status: "pending", created_at: time, updated_at: time };
}
