import { expect } from "vitest";
import { catalogProducts } from "../../../functions/products/samples.ts";
import { orders } from "../../../local/demo/orders.ts";
import { products } from "../../../local/demo/products.ts";
import { type DemoExpectation, numbered } from "../../support/demo.ts";

/** 40 products in 8 categories, those of the catalog first. */
export const demo: DemoExpectation = async (api) => {
  const { data = [] } = await api.GET("/products", { params: { query: { in_stock: false } } });
  const added = products.map(([name, description, price, stock, category]) => {
    const ordered = orders
      .flatMap(([, , cart]) => Object.entries(cart))
      .filter(([id]) => products[Number(id) - catalogProducts.length - 1]?.[0] === name)
      .reduce((sum, [, quantity]) => sum + quantity, 0);
    return { name, description, price, stock: stock - ordered, category };
  });

  expect(data).toHaveLength(40);
  expect(new Set(data.map(({ category }) => category)).size).toBe(8);
  expect(data.slice(catalogProducts.length)).toEqual(
    numbered([...catalogProducts, ...added]).slice(catalogProducts.length),
  );
  return products.length;
};
