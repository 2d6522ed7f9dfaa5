import * as z from "zod";
import { Failure } from "../../lib/failure.ts";
import { tagOf } from "../../lib/http/entity-tags.ts";
import { fitting } from "../../lib/http/lists.ts";
import { answer, area } from "../../lib/http/route.ts";
import type { OrdersRepository } from "../../lib/repositories/orders.ts";
import { cursorAfter } from "../../lib/schemas/cursor.ts";
import { Cart, Order, OrderQuery, OrderStatus } from "../../lib/schemas/order.ts";
import { integerParameter, textParameter } from "../../lib/schemas/parameter.ts";

/** What the order routes work with. */
export interface OrdersServices {
  readonly orders: OrdersRepository;
}

const route = area<OrdersServices>({ tag: "orders", dialect: "detail" });
const path = z.object({ order_id: integerParameter(z.int()) });
const failures = { 404: "No order has that id" } as const;

/** The order area (specification, "Orders"). */
export const ordersRoutes = [
  route("POST /orders", {
    operationId: "placeOrder",
    summary: "Place an order: take the stock of every product in the cart, or of none",
    query: z.object({ user_id: integerParameter(z.int().default(1)) }),
    body: Cart,
    answers: { 201: Order },
    answerHeaders: { 201: ["location"] },
    creates: true,
    failures: {
      400: "A product has less stock than is ordered",
      404: "No product has the id that a line names",
    },
    etag: tagOf,
    handle: async ({ query, body, once }, { orders }) => {
      const order = await orders.place(query.user_id, body, once);
      return answer(201, order, { location: `/orders/${order.id}` });
    },
  }),
  route("GET /orders", {
    operationId: "listOrders",
    summary: "List orders, all of them or those of a user or with a status",
    query: OrderQuery,
    answers: { 200: z.array(Order) },
    goesOn: true,
    handle: async ({ query: { limit, cursor, ...filters }, target }, { orders }) => {
      const slice = await orders.slice(filters, { after: cursor, limit });
      const { records, headers } = fitting(slice, target, ({ id }) => cursorAfter(id));
      return answer(200, records, headers);
    },
  }),
  route("GET /orders/{order_id}", {
    operationId: "getOrder",
    summary: "Get an order",
    path,
    answers: { 200: Order },
    failures,
    etag: tagOf,
    handle: async ({ path: { order_id: id } }, { orders }) => answer(200, found(id, await orders.get(id))),
  }),
  route("PATCH /orders/{order_id}/status", {
    operationId: "changeOrderStatus",
    summary: "Change the status of an order",
    description:
      "Any status to any other, but nothing leaves `cancelled`, and `delivered` never becomes `cancelled`.",
    path,
    query: z.object({ status: textParameter(OrderStatus) }),
    answers: { 200: Order },
    failures: { ...failures, 400: "The order is cancelled, or delivered and would be cancelled" },
    etag: tagOf,
    handle: async ({ path: { order_id: id }, query, expect }, { orders }) =>
      answer(200, found(id, await orders.changeStatus(id, query.status, expect))),
  }),
];

function found<T>(id: number, order: T | undefined): T {
  if (order === undefined) throw new Failure("NotFound", `Order with id ${id} not found`);
  return order;
}
