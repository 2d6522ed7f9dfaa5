import {
  type DynamoDBDocumentClient,
  type QueryCommandInput,
  TransactWriteCommand,
} from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Creation, IdempotencyContext } from "../../domain/idempotency.ts";
import { checkStatusChange } from "../../domain/order-status.ts";
import { type CartItem, type Order, OrderStatus } from "../../validators/order.ts";
import { cancellationCodes } from "../dynamodb/client.ts";
import type { Precondition } from "../dynamodb/expressions.ts";
import { mapPages, queryPages, type StoredItem } from "../dynamodb/query.ts";
import { recordKey } from "../records/id-blocks.ts";
import { type CursorPage, type RangeQuery, readPages } from "../records/range-reader.ts";
import { RecordRepository, type StoredSchema } from "../records/record-repository.ts";
import { MAX_ATTEMPTS, OrderPlacement, type PlacementTables, tooManyConflicts } from "./placement.ts";

/** An order as it is stored. A field that is added later needs a default: older orders do not have it. */
const StoredOrder = z.object({
  user_id: z.int(),
  items: z.array(z.object({ product_id: z.int(), quantity: z.int() })),
  total: z.number(),
  status: OrderStatus,
  created_at: z.string(),
  updated_at: z.string(),
}) satisfies StoredSchema<Order>;

/** Which orders are wanted; what is absent excludes none. */
export interface OrderFilters {
  readonly user_id?: number | undefined;
  readonly status?: OrderStatus | undefined;
}

/** The orders. They lie like other records (see `Records`), with an index by user and one by status. */
export class OrdersRepository {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => Date;
  readonly #records: RecordRepository<Order>;
  readonly #placement: OrderPlacement;

  /**
   * @param client from `documentClient`
   * @param tables the tables' names
   * @param now the time; every order's times come from it
   */
  constructor(client: DynamoDBDocumentClient, tables: PlacementTables, now: () => Date) {
    this.#client = client;
    this.#table = tables.orders;
    this.#now = now;
    this.#records = new RecordRepository<Order>(client, tables.orders, StoredOrder);
    this.#placement = new OrderPlacement(client, tables, now);
  }

  /**
   * Places an order.
   *
   * @see OrderPlacement.place
   */
  place(
    userId: number,
    cart: readonly CartItem[],
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<Order>> {
    return this.#placement.place(userId, cart, idempotency);
  }

  /** One order, or undefined when no order has that id. One call. */
  get(id: number): Promise<Order | undefined> {
    return this.#records.get(id);
  }

  /**
   * The orders that match, in id order, or a part of them; no more than one answer of the API can hold.
   *
   * Without a filter every order is read, strongly consistent. With one it is a single query of an index, which
   * can lag behind by a moment (README, "Decisions").
   *
   * @param place where to begin and how many to take
   */
  async list(
    filters: OrderFilters,
    { after = 0, limit }: Omit<RangeQuery<Order>, "filter"> = {},
  ): Promise<CursorPage<Order>> {
    if (filters.user_id === undefined && filters.status === undefined)
      return this.#records.list({ after, limit });
    return readPages(mapPages(queryPages(this.#client, this.#query(filters, after)), decode), { limit });
  }

  #query({ user_id, status }: OrderFilters, after: number): QueryCommandInput {
    const byStatus = { ExpressionAttributeNames: { "#status": "status" } };
    const query: Partial<QueryCommandInput> =
      user_id === undefined
        ? { ...byStatus, IndexName: "by-status", KeyConditionExpression: "#status = :status AND sk > :after" }
        : {
            IndexName: "by-user",
            KeyConditionExpression: "user_id = :user AND sk > :after",
            ...(status !== undefined && { ...byStatus, FilterExpression: "#status = :status" }),
          };
    return {
      ...query,
      TableName: this.#table,
      ConsistentRead: false,
      ExpressionAttributeValues: {
        ":after": after,
        ...(user_id !== undefined && { ":user": user_id }),
        ...(status !== undefined && { ":status": status }),
      },
    };
  }

  /**
   * Changes an order's status, if the status that is replaced allows it. Two calls, and two more each time that
   * another change comes between them.
   *
   * It is written as a transaction of one item, at twice the price of an update: a repeated attempt whose first
   * answer was lost is then known to DynamoDB, and not checked against its own effect.
   *
   * @param precondition called with the order that is changed, before its status is looked at
   * @returns the order as it is then, or undefined when no order has that id
   * @throws ApiError `InvalidArgument` when the present status does not allow it
   * @throws ApiError `ServiceUnavailable`
   */
  async changeStatus(
    id: number,
    status: OrderStatus,
    precondition?: Precondition<Order>,
  ): Promise<Order | undefined> {
    for (let round = 1; round <= MAX_ATTEMPTS; round += 1) {
      const order = await this.get(id);
      if (order === undefined) return undefined;
      precondition?.(order);
      checkStatusChange(order.status, status);
      const time = Math.max(this.#now().getTime(), Date.parse(order.updated_at));
      const changed = { ...order, status, updated_at: new Date(time).toISOString() };
      if (await this.#replace(order, changed)) return changed;
    }
    throw tooManyConflicts();
  }

  /** Writes an order's new status if the order is still as it was read. */
  async #replace(order: Order, { status, updated_at }: Order): Promise<boolean> {
    try {
      await this.#client.send(
        new TransactWriteCommand({
          TransactItems: [
            {
              Update: {
                TableName: this.#table,
                Key: recordKey(order.id),
                UpdateExpression: "SET #status = :status, updated_at = :time",
                ConditionExpression: "#status = :seenStatus AND updated_at = :seenTime",
                ExpressionAttributeNames: { "#status": "status" },
                ExpressionAttributeValues: {
                  ":status": status,
                  ":time": updated_at,
                  ":seenStatus": order.status,
                  ":seenTime": order.updated_at,
                },
              },
            },
          ],
        }),
      );
      return true;
    } catch (error) {
      if (cancellationCodes(error)?.[0] === "ConditionalCheckFailed") return false;
      throw error;
    }
  }
}

function decode(item: StoredItem): Order {
  return { id: Number(item.sk), ...StoredOrder.parse(item) };
}
