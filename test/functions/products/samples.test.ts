import { describe, expect, it } from "vitest";
import { catalogProducts, loadCatalog } from "../../../functions/products/samples.ts";
import { ProductsRepository } from "../../../lib/repositories/products.ts";
import { CreateProductRequest } from "../../../lib/validators/product.ts";
import { engines, fill, recordTable, testClient } from "../../support/database/database.ts";

it("the catalog holds valid products in four categories, one of them out of stock", () => {
  for (const product of catalogProducts) expect(CreateProductRequest.parse(product)).toEqual(product);
  expect(new Set(catalogProducts.map(({ category }) => category)).size).toBe(4);
  expect(catalogProducts.filter(({ stock }) => stock === 0)).toHaveLength(1);
});

describe.each(engines)("loading the catalog on $name", ({ endpoint }) => {
  const client = testClient(endpoint);

  it("fills an empty table in order, and does not change any other", async () => {
    const table = await recordTable(endpoint);
    const products = new ProductsRepository(client, table);
    const loaded = catalogProducts.map((each, i) => ({ id: i + 1, ...each }));

    expect(await loadCatalog(client, table)).toBe(loaded.length);
    expect((await products.list()).records).toEqual(loaded);
    expect(await loadCatalog(client, table)).toBe(0);
    expect((await products.page(0, 0)).total).toBe(catalogProducts.length);
    const { id } = (await products.create(catalogProducts[0] as CreateProductRequest, undefined)).record;
    expect(id).toBe(catalogProducts.length + 1);
    // Nor one whose products are all deleted.
    for (let each = 1; each <= id; each += 1) await products.remove(each);
    expect(await loadCatalog(client, table)).toBe(0);
  });

  it("loads all products or none, so that an interrupted start leaves no part", async () => {
    const table = await recordTable(endpoint);
    const products = new ProductsRepository(client, table);
    // The seventh id is taken, which fails the transaction.
    await fill(client, table, [{ pk: "0", sk: 7, ...catalogProducts[0] }]);
    await expect(loadCatalog(client, table)).rejects.toThrow("an id that was never allocated");
    expect((await products.page(0, 0)).total).toBe(0);
    expect(await products.get(1)).toBeUndefined();
  });
});
