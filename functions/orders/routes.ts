import * as z from "zod";
import { cartError } from "../../lib/domain/cart.ts";
import { notFound } from "../../lib/domain/errors.ts";
import { idempotencyKeyInUse } from "../../lib/domain/idempotency.ts";
import { orderIsCancelled } from "../../lib/domain/order-status.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { limitToResponseSize } from "../../lib/http/pagination.ts";
import { created, response, routeBuilder } from "../../lib/http/route.ts";
import type { OrdersRepository } from "../../lib/repositories/orders/orders.ts";
import type { OrderPlacement } from "../../lib/repositories/orders/placement.ts";
import { cursorAfter } from "../../lib/validators/cursor.ts";
import { Cart, Order, OrderQuery, OrderStatus } from "../../lib/validators/order.ts";
import { integerParameter, textParameter } from "../../lib/validators/parameter.ts";

/** What the order routes work with. */
export interface OrdersDependencies {
  readonly orders: OrdersRepository;
  readonly placement: OrderPlacement;
}

const route = routeBuilder<OrdersDependencies>({ tag: "orders", errorFormat: "detail" });
const path = z.object({ order_id: integerParameter(z.int()).describe("The order's id") });
const errors = { 404: { when: "No order has that id", example: notFound("Order", 7) } };

/** The order area (specification, "Orders"). */
export const ordersRoutes = [
  route("POST /orders", {
    operationId: "placeOrder",
    summary: "Place an order: take the stock of every product in the cart, or of none",
    description:
      "Lines are checked in the order given, and the first that fails is answered; lines of the same product " +
      "count together. An order that fails changes nothing and uses no id. The total is exact, with the prices of " +
      "the moment in which the stock is taken.",
    query: z.object({
      user_id: integerParameter(z.int().default(1)).describe(
        "Whose order it is; there need not be such a user",
      ),
    }),
    body: Cart,
    responses: { 201: Order },
    responseHeaders: { 201: ["location"] },
    creates: true,
    errors: {
      400: {
        when: "A product has less stock than is ordered",
        example: cartError({
          ok: false,
          reason: "insufficient-stock",
          product: { id: 1, name: "Desk lamp", stock: 12 },
          ordered: 13,
        }),
      },
      404: { when: "No product has the id that a line names", example: notFound("Product", 7) },
      409: {
        when: "An earlier request with the idempotency key is still being processed",
        example: idempotencyKeyInUse({ key: "b1946ac9" }),
      },
    },
    etag: entityTag,
    handle: async ({ query, body, idempotency }, { placement }) => {
      const creation = await placement.place(query.user_id, body, idempotency);
      return created(creation.record, creation, { location: `/orders/${creation.record.id}` });
    },
  }),
  route("GET /orders", {
    operationId: "listOrders",
    summary: "List orders, all of them or those of a user or with a status",
    description:
      "In the order of the ids. With `user_id` or `status` an index is read, which can lag behind a change by a " +
      "moment.",
    query: OrderQuery,
    responses: { 200: z.array(Order) },
    goesOn: true,
    handle: async ({ query: { limit, cursor, ...filters }, target }, { orders }) => {
      const slice = await orders.list(filters, { after: cursor, limit });
      const { records, headers } = limitToResponseSize(slice, target, ({ id }) => cursorAfter(id));
      return response(200, records, headers);
    },
  }),
  route("GET /orders/{order_id}", {
    operationId: "getOrder",
    summary: "Get an order",
    description:
      "Lines and total are those of the moment in which it was placed, whatever has become of the products.",
    path,
    responses: { 200: Order },
    errors,
    etag: entityTag,
    handle: async ({ path: { order_id: id } }, { orders }) => response(200, found(id, await orders.get(id))),
  }),
  route("PATCH /orders/{order_id}/status", {
    operationId: "changeOrderStatus",
    summary: "Change the status of an order",
    description:
      "Any status to any other, but nothing leaves `cancelled`, and `delivered` never becomes `cancelled`. " +
      "Cancelling does not restock. Of two changes at idempotency, each is checked against the status that it replaces.",
    path,
    query: z.object({ status: textParameter(OrderStatus).describe("What it becomes") }),
    responses: { 200: Order },
    errors: {
      ...errors,
      400: {
        when: "The order is cancelled, or delivered and would be cancelled",
        example: orderIsCancelled(),
      },
    },
    etag: entityTag,
    handle: async ({ path: { order_id: id }, query, precondition }, { orders }) =>
      response(200, found(id, await orders.changeStatus(id, query.status, precondition))),
  }),
];

function found<T>(id: number, order: T | undefined): T {
  if (order === undefined) throw notFound("Order", id);
  return order;
}
