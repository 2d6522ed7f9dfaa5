import * as z from "zod/mini";
import { notFound } from "../../lib/domain/errors.ts";
import { insufficientStock, orderIsCancelled } from "../../lib/domain/orders.ts";
import type { Owner } from "../../lib/domain/ownership.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { listResponse } from "../../lib/http/pagination.ts";
import { created, found, routeBuilder } from "../../lib/http/route.ts";
import { type OrdersRepository, StoredOrder } from "../../lib/repositories/orders/orders.ts";
import { OrderPlacement } from "../../lib/repositories/orders/placement.ts";
import { byId } from "../../lib/validators/cursor.ts";
import { Cart, CartItem, Order, OrderQuery, OrderStatus } from "../../lib/validators/order.ts";
import { integerParameter, textParameter } from "../../lib/validators/parameter.ts";
import type { AreaRepair } from "../define-area.ts";

interface OrdersDependencies {
  readonly orders: OrdersRepository;
  readonly placement: OrderPlacement;
  readonly owner?: Owner | undefined;
}

const route = routeBuilder<OrdersDependencies>({ tag: "orders", errorFormat: "detail" });
const path = z.object({ order_id: integerParameter(z.int(), "The order's id") });
const errors = { 404: { when: "No order has this id", example: notFound("Order", 7) } };

export const routes = [
  route("POST /orders", {
    operationId: "placeOrder",
    summary: "Place an order: deduct the stock of every product in the cart, or of none",
    description:
      "Lines are checked in the order given, and the first that fails is reported; lines of the same product count " +
      "together. A failed order changes nothing and uses no id. The total is exact, at the prices when the stock is " +
      "deducted.",
    request: {
      query: z.object({
        user_id: integerParameter(
          z._default(z.int(), 1),
          "The id of the user who orders, which is not checked",
        ),
      }),
      body: Cart,
    },
    responses: { 201: Order },
    errors: {
      400: {
        when: "A product has less stock than ordered",
        example: insufficientStock({ id: 1, name: "Desk lamp", stock: 12 }, 13),
      },
      404: { when: "A line names a product that does not exist", example: notFound("Product", 7) },
    },
    etag: entityTag,
    location: ({ id }: Order) => `/orders/${id}`,
    handle: async ({ query, body, idempotency }, { placement, owner }) =>
      created(await placement.place(query.user_id, body, idempotency, owner?.username)),
  }),
  route("GET /orders", {
    operationId: "listOrders",
    summary: "List orders: all, or those of a user or with a status",
    description:
      "In id order. With `user_id` or `status` an index is read, which can be a moment behind the latest change.",
    request: { query: OrderQuery },
    responses: { 200: z.array(Order) },
    handle: async ({ query: { limit, cursor, ...filters }, target, budget }, { orders }) => {
      const page = await orders.list(filters, { after: cursor, limit }, budget());
      return listResponse(page, target, byId);
    },
  }),
  route("GET /orders/{order_id}", {
    operationId: "getOrder",
    summary: "Get an order",
    description:
      "Lines and total stay as they were when the order was placed, whatever happens to the products.",
    request: { path },
    responses: { 200: Order },
    errors,
    etag: entityTag,
    handle: async ({ path: { order_id: id } }, { orders }) => found(await orders.get(id), "Order", id),
  }),
  route("PATCH /orders/{order_id}/status", {
    operationId: "changeOrderStatus",
    summary: "Change the status of an order",
    description:
      "Any status can follow any other, except that `cancelled` is final and `delivered` cannot become `cancelled`. " +
      "Cancelling does not restock. Of two concurrent changes, each is checked against the status that it replaces.",
    request: { path, query: z.object({ status: textParameter(OrderStatus, "The new status") }) },
    responses: { 200: Order },
    errors: {
      ...errors,
      400: {
        when: "The order is cancelled, or is delivered and cannot be cancelled",
        example: orderIsCancelled(),
      },
    },
    etag: entityTag,
    handle: async ({ path: { order_id: id }, query, precondition }, { orders }) =>
      found(await orders.changeStatus(id, query.status, precondition), "Order", id),
  }),
];

/** Reads tolerate an order without lines; the repair names it. */
export const stored = { schema: z.extend(StoredOrder, { items: z.array(CartItem).check(z.minLength(1)) }) };

export const repair: AreaRepair = async (client, tableOf, options) => {
  const [orders, products] = [tableOf("orders"), tableOf("products")];
  if (orders === undefined || products === undefined) return 0;
  const placement = new OrderPlacement(client, { orders, products }, () => new Date());
  return placement.completeAbandoned(options);
};
