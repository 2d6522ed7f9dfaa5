import { expect } from "vitest";
import { catalogProducts } from "../../../functions/products/samples.ts";
import { type DemoExpectation, demoRequests, numbered } from "../../support/demo.ts";

/** 40 products in 8 categories, those of the catalog first. */
export const demo: DemoExpectation = async (api) => {
  const { data = [] } = await api.GET("/products", { params: { query: { in_stock: false } } });
  const lines = demoRequests("orders", /^POST /).flatMap(({ body }) => body);
  const created = demoRequests("products", /^POST /).map(({ body }, i) => {
    const own = lines.filter(({ product_id }) => product_id === catalogProducts.length + i + 1);
    return { ...body, stock: own.reduce((stock, { quantity }) => stock - quantity, body.stock) };
  });

  expect(data).toHaveLength(40);
  expect(new Set(data.map(({ category }) => category)).size).toBe(8);
  expect(data.slice(catalogProducts.length)).toEqual(
    numbered([...catalogProducts, ...created]).slice(catalogProducts.length),
  );
  return created.length;
};
