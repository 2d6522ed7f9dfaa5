import { describe, expect, it } from "vitest";
import { catalogProducts, loadCatalog } from "../../lib/catalog.ts";
import { productsRepository } from "../../lib/repositories/products.ts";
import { CreateProductRequest } from "../../lib/schemas/product.ts";
import { engines, recordTable, testClient } from "../support/database.ts";

describe("the catalog", () => {
  it("holds products that the service would take, in four categories, one of them sold out", () => {
    for (const product of catalogProducts) expect(CreateProductRequest.parse(product)).toEqual(product);
    expect(new Set(catalogProducts.map(({ category }) => category)).size).toBe(4);
    expect(catalogProducts.filter(({ stock }) => stock === 0)).toHaveLength(1);
  });
});

describe.each(engines)("loading the catalog on $name", ({ endpoint }) => {
  it("fills an empty table in order, and leaves any other alone", async () => {
    const products = productsRepository(testClient(endpoint), await recordTable(endpoint));

    expect(await loadCatalog(products)).toBe(catalogProducts.length);
    expect(await products.list()).toEqual(catalogProducts.map((product, i) => ({ id: i + 1, ...product })));
    expect(await loadCatalog(products)).toBe(0);
    expect(await products.count()).toBe(catalogProducts.length);
  });
});
