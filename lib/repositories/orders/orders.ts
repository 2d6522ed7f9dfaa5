import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { checkStatusChange } from "../../domain/orders.ts";
import type { Owner } from "../../domain/ownership.ts";
import type { ReadBudget } from "../../domain/read-budget.ts";
import type { Precondition } from "../../dynamodb/expressions.ts";
import type { CursorPage, RangeQuery } from "../../records/range-reader.ts";
import type { StoredSchema } from "../../records/record-reader.ts";
import { RecordRepository } from "../../records/record-repository.ts";
import { timeOfChange } from "../../records/revision.ts";
import { type Order, OrderStatus } from "../../validators/order.ts";

/** A field that is added later needs a default: older orders do not have it. */
export const StoredOrder = z.object({
  user_id: z.int(),
  items: z.array(z.object({ product_id: z.int(), quantity: z.int() })),
  total: z.number(),
  status: OrderStatus,
  created_at: z.string(),
  updated_at: z.string(),
}) satisfies StoredSchema<Order>;

interface OrderFilters {
  readonly user_id?: number | undefined;
  readonly status?: OrderStatus | undefined;
}

/** Reads orders and changes their status; `OrderPlacement` creates them. */
export class OrdersRepository {
  readonly #now: () => Date;
  readonly #records: RecordRepository<Order>;

  constructor(client: DynamoDBClient, table: string, now: () => Date, owner?: Owner) {
    this.#now = now;
    this.#records = new RecordRepository<Order>(client, table, StoredOrder, owner);
  }

  async get(id: number): Promise<Order | undefined> {
    return this.#records.get(id);
  }

  /** In id order, limited to one response. Filters query an index, which can be slightly stale. */
  async list(
    { user_id, status }: OrderFilters,
    { after = 0, limit }: Pick<RangeQuery<Order>, "after" | "limit"> = {},
    budget?: ReadBudget,
  ): Promise<CursorPage<Order>> {
    const part = budget?.forPart();
    if (this.#records.onlyOwner !== undefined) {
      const filter = (order: Order) =>
        (user_id ?? order.user_id) === order.user_id && (status ?? order.status) === order.status;
      return this.#records.list({ after, limit, filter }, part);
    }
    if (user_id === undefined && status === undefined) return this.#records.list({ after, limit }, part);
    if (user_id === undefined)
      return this.#records.listBy("by-status", ["status", String(status)], { after, limit }, part);
    const filter = status === undefined ? undefined : (order: Order) => order.status === status;
    return this.#records.listBy("by-user", ["user_id", user_id], { after, limit, filter }, part);
  }

  /** Two calls, two more per concurrent change. @throws ApiError `InvalidArgument` if it is not allowed */
  async changeStatus(id: number, status: OrderStatus, precondition?: Precondition<Order>) {
    return this.#records.change(id, (order) => {
      precondition?.(order);
      checkStatusChange(order.status, status);
      return { status, updated_at: timeOfChange(order.updated_at, this.#now()) };
    });
  }
}
