import { describe, expect, it, vi } from "vitest";
import { aProduct, withProduct } from "../functions/products/data.ts";
import { expectInvalid } from "../support/api/expect-invalid.ts";
import { locationOf } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";
import { asAdmin, withAccount, withToken } from "../support/data/accounts.ts";
import { UNKNOWN_ID, uniqueWord } from "../support/data/values.ts";

const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);
/** Three products in a new category: cheap, sold out, expensive. */
async function withCategory() {
  const category = uniqueWord();
  const cheap = await withProduct({ category, price: 1.5, stock: 1 });
  const soldOut = await withProduct({ category, price: 2, stock: 0 });
  const expensive = await withProduct({ category, price: 300, stock: 7 });
  return { category, cheap, soldOut, expensive };
}

type Name = Exclude<keyof Awaited<ReturnType<typeof withCategory>>, "category">;

it("GET /products lists products in stock, in id order", async () => {
  const { cheap, soldOut, expensive } = await withCategory();
  const { status, body } = await api.get("/products");

  expect([status, body]).toEqual([200, expect.arrayContaining([cheap, expensive])]);
  expect(ids(body)).not.toContain(soldOut.id);
  expect(ids(body)).toEqual(ids(body).sort((a, b) => a - b));
  expect(body.every(({ stock }: { stock: number }) => stock > 0)).toBe(true);
});

it.each<[string, Name[], number?]>([
  ["", ["cheap", "expensive"]],
  ["in_stock=true", ["cheap", "expensive"]],
  ["in_stock=false", ["cheap", "soldOut", "expensive"]],
  ["in_stock=", ["cheap", "soldOut", "expensive"]],
  ["min_price=1.49", ["cheap", "expensive"]],
  ["min_price=1.5", ["cheap", "expensive"]],
  ["min_price=1.51", ["expensive"]],
  ["max_price=1.49", []],
  ["max_price=1.5", ["cheap"]],
  ["min_price=2&max_price=2&in_stock=false", ["soldOut"]],
  ["min_price=&max_price=", ["cheap", "expensive"]],
  ["page=1&size=2&in_stock=false", ["cheap", "soldOut"], 3],
  ["page=2&size=2&in_stock=false", ["expensive"], 3],
  ["page=1&size=1&limit=1000", ["cheap"], 3],
  ["page=1&size=0", [], 3],
  ["size=3", ["cheap", "soldOut", "expensive"], 3],
  ["size=10&in_stock=true", ["cheap", "expensive"], 2],
  ["size=10&min_price=2", ["soldOut", "expensive"], 2],
  ["size=10&max_price=2", ["cheap", "soldOut"], 2],
  [`page=${UNKNOWN_ID}&size=1`, [], 3],
  [`page=1&size=${UNKNOWN_ID}`, ["cheap", "soldOut", "expensive"], 3],
])("GET /products of a category with %s lists %j", async (query, names, total) => {
  const products = await withCategory();
  const { status, body } = await api.get(`/products?category=${products.category}&${query}`);
  expect(status).toBe(200);
  expect([body.items ?? body, body.total]).toEqual([names.map((name) => products[name]), total]);
});

it("GET /products matches the exact category, and any if it is empty", async () => {
  const { category, cheap } = await withCategory();
  const list = async (each: string) => api.get("/products", { query: { category: each } });
  for (const other of [category.toUpperCase(), category.slice(0, -1)]) {
    const { body, headers } = await list(other);
    expect([body, headers.get("link")]).toEqual([[], null]);
  }
  expect(ids((await list("")).body)).toContain(cheap.id);
});

it("GET /products reports every error in the query", async () => {
  expectInvalid(await api.get("/products?min_price=cheap&max_price=1e&in_stock=yes&page=x&size=1.5"), [
    "query.page invalid_type",
    "query.size invalid_type",
    "query.min_price invalid_type",
    "query.max_price invalid_type",
    "query.in_stock invalid_type",
  ]);
});

describe("GET /products (paged)", () => {
  it.each([
    ["page=0&size=2", 0, 2],
    ["page=-3", -3, 10],
    ["size=0", 1, 0],
    ["page=1&size=-1", 1, 0],
    ["page=-1&size=-1&category=", -1, 0],
  ])("has no items for %s, and the total as ever", async (query, page, size) => {
    const { total } = (await api.get("/products?page=1")).body;
    const { status, body, headers } = await api.get(`/products?${query}`);
    expect([status, body]).toEqual([200, { page, size, total: expect.any(Number), items: [] }]);
    expect(body.total).toBeGreaterThanOrEqual(total);
    if (size > 0) expect(headers.get("link")).toContain(`page=1&size=${size}>; rel="next"`);
    else expect(headers.get("link")).toBeNull();
  });

  it("returns the first page of ten by default, with sold-out products", async () => {
    await withCategory();
    for (const query of ["page=1", "size=10", "page=1&size=10"]) {
      const { body } = await api.get(`/products?${query}`);

      expect(Object.keys(body)).toEqual(["page", "size", "total", "items"]);
      expect(body).toMatchObject({ page: 1, size: 10, total: expect.any(Number) });
      expect(body.items).toHaveLength(Math.min(10, body.total));
    }
  });

  it("counts all products, and lists them in id order", async () => {
    const { cheap, soldOut, expensive } = await withCategory();
    // Products that other specs are creating or deleting are counted a moment before or after they are listed.
    await vi.waitFor(async () => {
      const { body } = await api.get("/products?size=1000000");

      expect(body.items).toHaveLength(body.total);
      expect(body.items).toEqual(expect.arrayContaining([cheap, soldOut, expensive]));
      expect(ids(body.items)).toEqual(ids(body.items).sort((a, b) => a - b));
    }, 100_000);
  });
});

it.each([
  ["POST", ""],
  ["PUT", "/1"],
  ["PATCH", "/1"],
  ["DELETE", "/1"],
])("%s /products%s checks for an administrator first", async (method, path) => {
  const { token } = await withAccount();
  const call = (options: object) => api.send(method, `/products${path}`, "invalid JSON", options);

  const unauthenticated = await call({});
  const detail = "Could not validate credentials";
  expect(unauthenticated).toMatchObject({ status: 401, body: { detail } });
  expect(unauthenticated.headers.get("www-authenticate")).toBe("Bearer");
  const forbidden = { status: 403, body: { detail: "Admin access required" } };
  expect(await call(withToken(token))).toMatchObject(forbidden);
});

describe("POST /products", () => {
  it("creates a product and returns its location", async () => {
    const product = aProduct({ name: "🧀 é", description: "", price: 19.99, stock: 0 });
    const response = await api.post("/products", { id: 3, extra: true, ...product }, await asAdmin());

    const text = JSON.stringify({ id: response.body.id, ...product });
    expect(response).toMatchObject({ status: 201, text });
    expect(locationOf(response)).toBe(`/products/${response.body.id}`);
    expect((await api.get(`/products/${response.body.id}`)).body).toEqual(response.body);
  });

  it.each([
    ["name", "🧀".repeat(200)],
    ["category", "🧀".repeat(100)],
    ["category", "__proto__"],
    ["stock", 1e12],
    ["price", 1e12],
    ["price", 1e-9],
    ["price", 1 / 3],
    ["price", 0.30000000000000004],
    ["price", 123456789012.345],
  ])("stores the %s %j", async (field, value) => {
    const product = await withProduct({ [field]: value });
    expect((await api.get(`/products/${product.id}`)).body).toMatchObject({ [field]: value });
  });

  it.each([
    ["name", "🧀".repeat(201), "too_big"],
    ["name", "\ud800", "invalid_format"],
    ["category", "x".repeat(101), "too_big"],
    ["price", 0, "too_small"],
    ["price", 1e-10, "too_small"],
    ["price", 1e12 + 1, "too_big"],
    ["stock", -1, "too_small"],
    ["stock", 0.5, "invalid_type"],
    ["stock", 1e12 + 1, "too_big"],
  ])("rejects the %s %j", async (field, value, type) => {
    const product = { ...aProduct(), [field]: value };
    expectInvalid(await api.post("/products", product, await asAdmin()), [`body.${field} ${type}`]);
  });

  it("rejects a price that is too large for a number", async () => {
    const json = JSON.stringify(aProduct()).replace("54.9", "1e999");
    expectInvalid(await api.send("POST", "/products", json, await asAdmin()), ["body.price invalid_type"]);
  });
});

it.each<[string, object, object?]>([
  ["PUT", { name: "Pan", description: "", price: 1, stock: 0, category: "new" }],
  ["PATCH", { price: 0.1 }],
  ["PATCH", { stock: 0 }],
  ["PATCH", { name: "", description: "d", category: "c" }],
  ["PATCH", { price: null, stock: null, name: null, description: null, category: null }, {}],
  ["PATCH", { extra: 1 }, {}],
  ["PATCH", {}],
])("%s /products/{product_id} changes by %j", async (method, json, changes = json) => {
  const product = await withProduct();
  const path = `/products/${product.id}`;
  const { status, body } = await api.request(method, path, json, await asAdmin());
  expect([status, body]).toEqual([200, { ...product, ...changes }]);
  expect((await api.get(path)).body).toEqual(body);
});

const required = ["name", "description", "price", "category"].map((field) => `body.${field} missing`);

it.each([
  ["PUT", { stock: -1 }, required.toSpliced(3, 0, "body.stock too_small")],
  ["PATCH", { stock: -1 }, ["body.stock too_small"]],
  ["PATCH", { name: "x".repeat(201), stock: 3 }, ["body.name too_big"]],
  ["PATCH", [], ["body invalid_type"]],
])("%s /products/{product_id} rejects %j without changes", async (method, json, expected) => {
  const product = await withProduct();
  const path = `/products/${product.id}`;
  expectInvalid(await api.request(method, path, json, await asAdmin()), expected);
  expect((await api.get(path)).body).toEqual(product);
});
