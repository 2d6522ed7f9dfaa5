import { describe, expect, it } from "vitest";
import { productsRepository } from "../../../lib/repositories/products.ts";
import { IdAllocation } from "../../../lib/repositories/records/id-allocation.ts";
import { catalogProducts, loadCatalog } from "../../../lib/repositories/sample-catalog.ts";
import { CreateProductRequest } from "../../../lib/validators/product.ts";
import { engines, fill, recordTable, testClient } from "../../support/database.ts";

describe("the catalog", () => {
  it("holds products that the service would take, in four categories, one of them sold out", () => {
    for (const product of catalogProducts) expect(CreateProductRequest.parse(product)).toEqual(product);
    expect(new Set(catalogProducts.map(({ category }) => category)).size).toBe(4);
    expect(catalogProducts.filter(({ stock }) => stock === 0)).toHaveLength(1);
  });
});

describe.each(engines)("loading the catalog on $name", ({ endpoint }) => {
  it("fills an empty table in order, and leaves any other alone", async () => {
    const client = testClient(endpoint);
    const table = await recordTable(endpoint);
    const products = productsRepository(client, table);

    expect(await loadCatalog(client, table)).toBe(catalogProducts.length);
    expect(await products.all()).toEqual(catalogProducts.map((product, i) => ({ id: i + 1, ...product })));
    expect(await loadCatalog(client, table)).toBe(0);
    expect(await products.count()).toBe(catalogProducts.length);
    const { id } = (await products.create(catalogProducts[0] as CreateProductRequest, undefined)).record;
    expect(id).toBe(catalogProducts.length + 1);
  });

  it("leaves a table alone whose products are all deleted", async () => {
    const client = testClient(endpoint);
    const table = await recordTable(endpoint);
    const products = productsRepository(client, table);
    const { id } = (await products.create(catalogProducts[0] as CreateProductRequest, undefined)).record;
    await products.remove(id);

    expect(await loadCatalog(client, table)).toBe(0);
    expect(await products.all()).toEqual([]);
  });

  it("puts all of it or nothing, so that a start that is killed leaves no part", async () => {
    const client = testClient(endpoint);
    const table = await recordTable(endpoint);
    const products = productsRepository(client, table);
    // What stands in the way of the seventh fails it, wherever the first six would be by then.
    await fill(client, table, [{ pk: "0", sk: 7, ...catalogProducts[0] }]);

    await expect(loadCatalog(client, table)).rejects.toThrow("Transaction cancelled");
    expect(await products.count()).toBe(0);
    expect(await products.get(1)).toBeUndefined();
  });

  it("takes an id that was given back for one that was never given", async () => {
    const client = testClient(endpoint);
    const table = await recordTable(endpoint);
    const ids = new IdAllocation(client, table);
    const id = await ids.allocate();
    await ids.releaseOrTombstone(id, { pk: "0", sk: id });

    expect(await loadCatalog(client, table)).toBe(catalogProducts.length);
  });
});
