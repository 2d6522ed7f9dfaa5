import { type DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { checkCart, type Purchase } from "../../domain/cart.ts";
import { ApiError } from "../../domain/errors.ts";
import { type Creation, type IdempotencyContext, idempotencyKeyInUse } from "../../domain/idempotency.ts";
import type { CartItem, Order } from "../../validators/order.ts";
import { cancellationCodes } from "../dynamodb/client.ts";
import { ProductsRepository } from "../products.ts";
import { IdAllocation } from "../records/id-allocation.ts";
import { recordKey } from "../records/id-blocks.ts";
import { Idempotency } from "../records/idempotency.ts";
import { ABANDONED_AFTER_MS, type Reservation, Reservations } from "./reservations.ts";

/** How often something is read anew because it changed between its reading and its writing. */
export const MAX_ATTEMPTS = 10;
/** How often one process looks for reservations that a crash has left. */
const SWEEP_EVERY_MS = 60_000;

/** What is remembered of an order that was placed under a key. */
const Placed = z.object({ id: z.int(), total: z.number(), time: z.string() });
type Placed = z.output<typeof Placed>;

export interface PlacementTables {
  readonly orders: string;
  readonly products: string;
}

/** How a cart becomes an order (specification, "Orders": order creation rules; docs/adr/0007). */
export class OrderPlacement {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => Date;
  readonly #ids: IdAllocation;
  readonly #products: ProductsRepository;
  readonly #reservations: Reservations;
  readonly #idempotency: Idempotency;
  #sweptAt = Number.NEGATIVE_INFINITY;

  /**
   * @param client from `documentClient`
   * @param tables the tables' names
   * @param now the time; every order's times come from it
   */
  constructor(client: DynamoDBDocumentClient, tables: PlacementTables, now: () => Date) {
    this.#client = client;
    this.#table = tables.orders;
    this.#now = now;
    this.#ids = new IdAllocation(client, tables.orders);
    this.#products = new ProductsRepository(client, tables.products);
    this.#reservations = new Reservations(client, tables, now);
    this.#idempotency = new Idempotency(client, tables.orders);
  }

  /**
   * Places an order. Four calls in sequence: the products are read and checked, their stock is taken if it and
   * the prices are still those, the id is drawn, and the order is put (docs/adr/0007). An order that fails
   * changes nothing and uses up no id.
   *
   * @param userId whose order it is; there need not be such a user record
   * @param cart at least one line, at most `MAX_PRODUCTS` different products
   * @param idempotency under which key: it is entered with the reservation, and said to be done with the order; one call
   *   more, to look it up
   * @throws ApiError `Conflict` while another request is placing the order under this key
   * @throws ApiError `ValidationError` when the key was used for another request
   * @throws ApiError of the first line that fails: `NotFound` for its product, `InvalidArgument` for its stock
   * @throws ApiError `ValidationError` when the total is beyond the exact numbers
   * @throws ApiError `ServiceUnavailable`, also when prices change faster than they can be read
   */
  async place(
    userId: number,
    cart: readonly CartItem[],
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<Order>> {
    const fieldsOf = ({ total, time }: Omit<Placed, "id">): Omit<Order, "id"> => ({
      user_id: userId,
      items: [...cart],
      total,
      status: "pending",
      created_at: time,
      updated_at: time,
    });
    for (let round = 1; round <= MAX_ATTEMPTS; round += 1) {
      const placed = idempotency && (await this.#placed(idempotency));
      if (placed) return { record: { id: placed.id, ...fieldsOf(placed) }, replayed: true };
      const purchase = await this.#check(cart, idempotency);
      if (purchase === undefined) continue;
      const { total, deductions } = purchase;
      const reservation = await this.#reservations.reserve(deductions, idempotency);
      if (reservation === undefined) continue;
      const time = this.#now().toISOString();
      const record = await this.#complete(reservation, fieldsOf({ total, time }), idempotency);
      return { record, replayed: false };
    }
    throw tooManyConflicts();
  }

  /** What was placed under a key. A reservation that a crash has left under it is given back first. */
  async #placed(idempotency: IdempotencyContext): Promise<Placed | undefined> {
    const made = await this.#idempotency.find(idempotency);
    if (made === undefined) return undefined;
    const { reserved_at } = made;
    if (typeof reserved_at === "string") {
      const isAbandoned = this.#now().getTime() - Date.parse(reserved_at) > ABANDONED_AFTER_MS;
      if (!isAbandoned || (await this.#reservations.releaseAbandoned()) === 0)
        throw idempotencyKeyInUse(idempotency);
      return this.#placed(idempotency);
    }
    return Placed.parse(made);
  }

  /** What a cart comes to; undefined when an order under the key has been begun, perhaps with the last pieces. */
  async #check(
    cart: readonly CartItem[],
    idempotency: IdempotencyContext | undefined,
  ): Promise<Purchase | undefined> {
    for (;;) {
      const products = await this.#products.getMany(cart.map(({ product_id }) => product_id));
      try {
        return checkCart(cart, products);
      } catch (error) {
        const isShortage = error instanceof ApiError && error.code === "InvalidArgument";
        if (isShortage && (await this.#sweep())) continue;
        if (idempotency && (await this.#idempotency.find(idempotency))) return undefined;
        throw error;
      }
    }
  }

  /** Looks, once in a while, for stock that a crash has left reserved; true when there was some. */
  async #sweep(): Promise<boolean> {
    const now = this.#now().getTime();
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return false;
    this.#sweptAt = now;
    return (await this.#reservations.releaseAbandoned()) > 0;
  }

  /** Turns a reservation into an order, or gives back what it holds. */
  async #complete(
    reservation: Reservation,
    fields: Omit<Order, "id">,
    idempotency: IdempotencyContext | undefined,
  ): Promise<Order> {
    const { total, created_at: time } = fields;
    for (;;) {
      const id = await this.#draw(reservation);
      try {
        await this.#client.send(
          new TransactWriteCommand({
            TransactItems: [
              {
                Put: {
                  TableName: this.#table,
                  Item: { ...recordKey(id), ...fields },
                  ConditionExpression: "attribute_not_exists(pk)",
                },
              },
              this.#reservations.fulfilled(reservation),
              ...(idempotency ? [this.#idempotency.replacement(idempotency, { id, total, time })] : []),
            ],
          }),
        );
        return { id, ...fields };
      } catch (error) {
        const [put, fulfilled] = cancellationCodes(error) ?? [];
        // Another record stands there: the counter was set back, as by restoring a backup.
        if (put === "ConditionalCheckFailed" && fulfilled !== "ConditionalCheckFailed") continue;
        // Once the reservation is gone, no attempt that is still under way can put the order any more: then it
        // can be told whether one has, and the id be given back safely.
        await this.#reservations.release(reservation);
        if (await this.#ids.releaseOrTombstone(id, recordKey(id))) return { id, ...fields };
        throw fulfilled === "ConditionalCheckFailed" ? tooManyConflicts(error) : error;
      }
    }
  }

  async #draw(reservation: Reservation): Promise<number> {
    try {
      return await this.#ids.allocate();
    } catch (error) {
      await this.#reservations.release(reservation);
      throw error;
    }
  }
}

/** The failure of a request that lost against others too often. */
export function tooManyConflicts(cause?: unknown): ApiError {
  return new ApiError("ServiceUnavailable", "Too much is changing at once right now, please try again", {
    cause,
    headers: { "retry-after": "1" },
  });
}
