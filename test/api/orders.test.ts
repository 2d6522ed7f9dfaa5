import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { type CartItem, type Order, OrderStatus } from "../../lib/validators/order.ts";
import { withProduct } from "../functions/products/data.ts";
import { expectInvalid } from "../support/api/expect-invalid.ts";
import { locationOf } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";
import { asAdmin } from "../support/data/accounts.ts";
import { UNKNOWN_ID } from "../support/data/values.ts";

async function stockOf(id: number): Promise<number> {
  return (await api.get(`/products/${id}`)).body.stock;
}

/** Places an order of a cart, by default one piece of a new product. */
async function withOrder({ cart, user }: { cart?: readonly CartItem[]; user?: number } = {}): Promise<Order> {
  const lines = cart ?? [{ product_id: (await withProduct()).id, quantity: 1 }];
  const { status, body } = await api.post(`/orders${user === undefined ? "" : `?user_id=${user}`}`, lines);
  expect(status).toBe(201);
  return body;
}

describe("POST /orders", () => {
  it("deducts the stock and returns the order and its location", async () => {
    const kettle = await withProduct({ price: 0.1, stock: 10 });
    const pan = await withProduct({ price: 39.5, stock: 3 });
    const items = [
      { product_id: kettle.id, quantity: 2 },
      { product_id: pan.id, quantity: 3 },
      { product_id: kettle.id, quantity: 1 },
    ];
    const response = await api.post("/orders", items);
    const { body: order } = response;

    const { id, created_at } = order;
    const times = { created_at, updated_at: created_at };
    const placed = { id, user_id: 1, items, total: 118.8, status: "pending", ...times };
    expect(response).toMatchObject({ status: 201, text: JSON.stringify(placed) });
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(locationOf(response)).toBe(`/orders/${order.id}`);
    expect((await api.get(`/orders/${order.id}`)).body).toEqual(order);
    expect([await stockOf(kettle.id), await stockOf(pan.id)]).toEqual([7, 0]);
  });

  it.each([-5, UNKNOWN_ID])("accepts the user %i", async (user) => {
    expect((await withOrder({ user })).user_id).toBe(user);
  });

  it("keeps its total after the price changes or the product is deleted", async () => {
    const { id } = await withProduct({ price: 5 });
    const order = await withOrder({ cart: [{ product_id: id, quantity: 2 }] });
    await api.patch(`/products/${id}`, { price: 6 }, await asAdmin());
    expect((await api.get(`/orders/${order.id}`)).body.total).toBe(10);
    await api.delete(`/products/${id}`, await asAdmin());
    expect((await api.get(`/orders/${order.id}`)).body).toEqual(order);
  });

  it("sells the last piece, and reports the first line that fails and deducts nothing", async () => {
    const teapot = await withProduct({ name: "Teapot", stock: 5 });
    const cup = await withProduct({ stock: 5 });
    const available = { product_id: cup.id, quantity: 5 };
    const short = { product_id: teapot.id, quantity: 6 };
    const unknown = { product_id: UNKNOWN_ID, quantity: 1 };
    const half = { product_id: teapot.id, quantity: 3 };
    const isUnknown = [404, { detail: `Product with id ${UNKNOWN_ID} not found` }];
    const detail = `Insufficient stock of Teapot (product ${teapot.id}): 5 left, 6 ordered`;
    const isShort = [400, { detail }];

    for (const [cart, expected] of [
      [[available, short, unknown], isShort],
      [[available, unknown, short], isUnknown],
      [[half, available, half, unknown], isShort],
      [[half, available, unknown, half], isUnknown],
    ] as const) {
      const { status, body } = await api.post("/orders", cart);
      expect([status, body]).toEqual(expected);
    }
    expect([await stockOf(teapot.id), await stockOf(cup.id)]).toEqual([5, 5]);
    expect((await api.post("/orders", [available])).status).toBe(201);
    expect((await api.post("/orders", [{ ...available, quantity: 1 }])).status).toBe(400);
  });

  it("rejects a quantity beyond any stock, also in sum", async () => {
    const { id } = await withProduct({ stock: 1e12 });
    const line = { product_id: id, quantity: UNKNOWN_ID };
    for (const cart of [[line], [{ product_id: id, quantity: 1 }, line, line]])
      expect((await api.post("/orders", cart)).status).toBe(400);
  });

  it("accepts 97 different products, in any number of lines", async () => {
    const products = await Promise.all(Array.from({ length: 98 }, () => withProduct({ price: 0.01 })));
    const cart = products.map(({ id }) => ({ product_id: id, quantity: 1 }));
    const { status, body } = await api.post("/orders", cart);

    const message = "Must have at most 97 different products";
    expect([status, body.details]).toEqual([422, [{ field: "body", message, type: "too_big" }]]);
    const most = [...cart.slice(1), ...cart.slice(1)];
    expect((await withOrder({ cart: most })).total).toBe(1.94);
    expect(await stockOf(cart[1]?.product_id ?? 0)).toBe(8);
  });

  it("accepts 200 lines", async () => {
    const { id } = await withProduct({ price: 0.1, stock: 200 });
    const cart = Array.from({ length: 200 }, () => ({ product_id: id, quantity: 1 }));
    expectInvalid(await api.post("/orders", [...cart, ...cart.slice(0, 1)]), ["body too_big"]);
    const order = await withOrder({ cart });
    expect(order.total).toBe(20);
    expect((await api.get(`/orders/${order.id}`)).body).toEqual(order);
  });

  it.each<[string, unknown, string[]]>([
    ["an empty cart", [], ["body too_small"]],
    ["no body", undefined, ["body missing"]],
    ["an empty line", [{}], ["body.0.product_id missing", "body.0.quantity missing"]],
    ["the quantity 0", [{ product_id: 1, quantity: 0 }], ["body.0.quantity too_small"]],
    ["a quantity below 0", [{ product_id: 1, quantity: -1 }], ["body.0.quantity too_small"]],
    ["half a piece", [{ product_id: 1, quantity: 1.5 }], ["body.0.quantity invalid_type"]],
    ["a huge quantity", [{ product_id: 1, quantity: 2 ** 53 }], ["body.0.quantity too_big"]],
    [
      "two invalid lines",
      [{ product_id: 1 }, { product_id: "1", quantity: null }],
      ["body.0.quantity missing", "body.1.product_id invalid_type", "body.1.quantity invalid_type"],
    ],
  ])("rejects %s", async (_, json, expected) => {
    expectInvalid(await api.post("/orders", json), expected);
  });
});

it("GET /orders filters by user, by status and by both", async () => {
  const user = 1_000_000 + Math.floor(Math.random() * 1e15);
  const first = await withOrder({ user });
  const second = await withOrder({ user });
  const { body: paid } = await api.patch(`/orders/${second.id}/status?status=paid`);
  const list = async (query: Record<string, string | number>) => (await api.get("/orders", { query })).body;

  // An index can be a moment behind its table.
  await vi.waitFor(async () => expect(await list({ user_id: user })).toEqual([first, paid]), 100_000);
  await vi.waitFor(async () => {
    const pending = await list({ status: "pending" });
    expect(pending).toContainEqual(first);
    expect(pending.every(({ status }: Order) => status === "pending")).toBe(true);
  }, 100_000);
  expect(await list({ user_id: user, status: "paid" })).toEqual([paid]);
});

it("GET /orders reports every error in the query", async () => {
  const response = await api.get("/orders?user_id=me&status=Paid");
  expectInvalid(response, ["query.user_id invalid_type", "query.status invalid_value"]);
});

describe("PATCH /orders/{order_id}/status", () => {
  const change = (id: number, status: string) => api.patch(`/orders/${id}/status?status=${status}`);
  const changes = OrderStatus.options.flatMap((from) => OrderStatus.options.map((to) => [from, to] as const));

  it.each(changes)("from %s to %s", async (from, to) => {
    const order = await withOrder();
    if (from !== "pending") await change(order.id, from);
    const { body: before } = await api.get(`/orders/${order.id}`);
    const { status, body } = await change(order.id, to);
    const { body: after } = await api.get(`/orders/${order.id}`);

    if (from === "cancelled" || (from === "delivered" && to === "cancelled")) {
      const denied = from === "cancelled" ? "updated" : "cancelled";
      expect([status, body]).toEqual([400, { detail: `A ${from} order cannot be ${denied}` }]);
      expect(after).toEqual(before);
    } else {
      expect([status, body]).toEqual([200, { ...before, status: to, updated_at: body.updated_at }]);
      expect(body.updated_at >= before.updated_at).toBe(true);
      expect(after).toEqual(body);
    }
  });

  it("updates the time and does not restock a cancelled order", async () => {
    const { id } = await withProduct({ stock: 5 });
    const order = await withOrder({ cart: [{ product_id: id, quantity: 5 }] });
    await vi.waitUntil(() => new Date().toISOString() > order.created_at);
    const { body } = await change(order.id, "cancelled");

    expect(body.created_at).toBe(order.created_at);
    expect(body.updated_at > order.updated_at).toBe(true);
    expect(await stockOf(id)).toBe(0);
  });

  it("requires a status, the last one, and changes nothing without", async () => {
    const order = await withOrder();
    const path = `/orders/${order.id}/status`;
    expectInvalid(await api.patch(path), ["query.status missing"]);
    expectInvalid(await api.patch(`${path}?status=paid&status=lost`), ["query.status invalid_value"]);
    expect((await api.get(`/orders/${order.id}`)).body).toEqual(order);
  });
});

it("an Idempotency-Key of an order deducts the stock once, even if nothing is left", async () => {
  const { id } = await withProduct({ stock: 1 });
  const options = { headers: { "idempotency-key": randomUUID() } };
  const cart = [{ product_id: id, quantity: 1 }];
  const first = await api.post("/orders", cart, options);
  await api.patch(`/orders/${first.body.id}/status?status=paid`);

  expect(await api.post("/orders", cart, options)).toMatchObject({ status: 201, text: first.text });
  expect(await stockOf(id)).toBe(0);
  expect(await api.post("/orders", cart)).toMatchObject({ status: 400 });
});

it("prevents overwriting by an outdated If-Match the stock that an order has deducted", async () => {
  const { id, stock } = await withProduct({ stock: 5 });
  const path = `/products/${id}`;
  const tag = (await api.get(path)).headers.get("etag") ?? "";
  await api.post("/orders", [{ product_id: id, quantity: 2 }]);
  const { headers } = await asAdmin();

  expect((await api.patch(path, { stock }, { headers: { ...headers, "if-match": tag } })).status).toBe(412);
  expect((await api.get(path)).body.stock).toBe(3);
});
