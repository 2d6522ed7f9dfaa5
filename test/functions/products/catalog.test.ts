import { describe, expect, it } from "vitest";
import { catalog, catalogPage } from "../../../functions/products/listing.ts";
import { ProductsRepository } from "../../../lib/repositories/products.ts";
import { type ProductFilters, ProductQuery } from "../../../lib/validators/product.ts";
import { engines, recordTable, testClient } from "../../support/database.ts";
import { meter } from "../../support/usage.ts";

/** Reads a query as the route would. */
function filters(query: Record<string, string>): ProductFilters {
  const values = Object.entries(query).map(([name, value]) => [name, [value]]);
  return ProductQuery.parse(Object.fromEntries(values));
}

describe.each(engines)("listing products on $name", async ({ endpoint }) => {
  const client = testClient(endpoint);
  const products = new ProductsRepository(client, await recordTable(endpoint));
  const fields = { name: "x", description: "" };
  await products.create({ ...fields, category: "a", price: 1, stock: 1 }, undefined);
  await products.create({ ...fields, category: "a", price: 2, stock: 0 }, undefined);
  await products.create({ ...fields, category: "b", price: 3, stock: 5 }, undefined);
  await products.create({ ...fields, category: "A", price: 2.5, stock: 2 }, undefined);
  const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);

  it.each<[Record<string, string>, number[]]>([
    [{}, [1, 3, 4]],
    [{ in_stock: "true" }, [1, 3, 4]],
    [{ in_stock: "1" }, [1, 3, 4]],
    [{ in_stock: "false" }, [1, 2, 3, 4]],
    [{ in_stock: "0" }, [1, 2, 3, 4]],
    [{ in_stock: "" }, [1, 2, 3, 4]],
    [{ category: "a" }, [1]],
    [{ category: "a", in_stock: "false" }, [1, 2]],
    [{ category: "none" }, []],
    [{ category: "" }, [1, 3, 4]],
    [{ min_price: "2.5" }, [3, 4]],
    [{ min_price: "2.51" }, [3]],
    [{ max_price: "2.5" }, [1, 4]],
    [{ max_price: "2.49" }, [1]],
    [{ min_price: "0", max_price: "0" }, [1, 3, 4]],
    [{ min_price: "0.0", max_price: "-0" }, [1, 3, 4]],
    [{ min_price: "", max_price: "" }, [1, 3, 4]],
    [{ min_price: "-1" }, [1, 3, 4]],
    [{ max_price: "-1" }, []],
    [{ min_price: "2", max_price: "2.5", in_stock: "false", category: "a" }, [2]],
  ])("catalog %j", async (query, expected) => {
    expect(ids((await catalog(products, filters(query))).records)).toEqual(expected);
  });

  it.each<[number, number, Record<string, string>, number[], number]>([
    [1, 10, {}, [1, 2, 3, 4], 4],
    [1, 3, {}, [1, 2, 3], 4],
    [2, 3, {}, [4], 4],
    [3, 3, {}, [], 4],
    [1, 0, {}, [], 4],
    [Number.MAX_SAFE_INTEGER, 1, {}, [], 4],
    [1, Number.MAX_SAFE_INTEGER, {}, [1, 2, 3, 4], 4],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {}, [], 4],
    [1, 2, { in_stock: "true" }, [1, 3], 3],
    [2, 2, { in_stock: "true" }, [4], 3],
    [1, 10, { in_stock: "false", category: "", min_price: "0" }, [1, 2, 3, 4], 4],
    [1, 10, { category: "a" }, [1, 2], 2],
    [1, 0, { category: "a" }, [], 2],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, { category: "a" }, [], 2],
    [1, 1, { min_price: "2", max_price: "2.5" }, [2], 2],
  ])("page %i of size %i with %j", async (page, size, query, expected, total) => {
    const answer = await catalogPage(products, page, size, filters(query));

    expect({ ...answer, items: ids(answer.items) }).toEqual({ page, size, total, items: expected });
  });

  it("finds a page without reading the others", async () => {
    const measure = meter(client);

    expect(await measure(() => catalogPage(products, 2, 2, filters({})))).toEqual({
      calls: 2,
      inSequence: 2,
      units: 2,
    });
  });
});
