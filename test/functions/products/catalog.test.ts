import { describe, expect, it } from "vitest";
import { listCatalog, readCatalogPage } from "../../../functions/products/catalog.ts";
import { ProductsRepository } from "../../../lib/repositories/products.ts";
import { type ProductFilters, ProductQuery } from "../../../lib/validators/product.ts";
import { budgetOf } from "../../support/data/budgets.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";

function filters(query: Record<string, string>): ProductFilters {
  const values = Object.entries(query).map(([name, value]) => [name, [value]]);
  return ProductQuery.parse(Object.fromEntries(values));
}

describe.each(engines)("the products on $name", async ({ endpoint }) => {
  const client = testClient(endpoint);
  const products = new ProductsRepository(client, await recordTable(endpoint));
  const fields = { name: "x", description: "" };
  await products.create({ ...fields, category: "a", price: 1, stock: 1 }, undefined);
  await products.create({ ...fields, category: "a", price: 2, stock: 0 }, undefined);
  await products.create({ ...fields, category: "b", price: 3, stock: 5 }, undefined);
  await products.create({ ...fields, category: "A", price: 2.5, stock: 2 }, undefined);
  const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);

  // The whole-API specs have the usual filters and pages.
  it.each<[Record<string, string>, number[]]>([
    [{ min_price: "0.0", max_price: "-0" }, [1, 3, 4]],
    [{ min_price: "-1" }, [1, 3, 4]],
    [{ max_price: "-1" }, []],
    [{ min_price: "2", max_price: "2.5", in_stock: "false", category: "a" }, [2]],
  ])("in the catalog with %j", async (query, expected) => {
    expect(ids((await listCatalog(products, filters(query), {}, budgetOf())).records)).toEqual(expected);
  });

  it.each<[number, number, Record<string, string>, number[], number]>([
    [1, 3, {}, [1, 2, 3], 4],
    [2, 3, {}, [4], 4],
    [3, 3, {}, [], 4],
    [Number.MAX_SAFE_INTEGER, 1, {}, [], 4],
    [1, Number.MAX_SAFE_INTEGER, {}, [1, 2, 3, 4], 4],
    [1, 10, { in_stock: "false", category: "", min_price: "0" }, [1, 2, 3, 4], 4],
  ])("on page %i of size %i with %j", async (page, size, query, expected, total) => {
    const list = await readCatalogPage(products, { page, size }, filters(query), budgetOf());
    expect({ ...list, records: ids(list.records) }).toEqual({ records: expected, total });
  });
});
