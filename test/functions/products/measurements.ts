import { routes } from "../../../functions/products/routes.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { measureArea } from "../../support/measure-area.ts";

/** The category of the ten newest products. */
const NEWEST = "newest";

const description = "A product as others are: nothing is said of it that fills more than this line.";

const productOf = (id: number, count: number) => ({
  ...recordKey(id),
  name: `Product ${id}`,
  description,
  price: 1 + (id % 100),
  stock: id % 10 === 0 ? 0 : 1_000_000,
  category: id > count - 10 ? NEWEST : `kind ${id % 1_000}`,
});

export const measurements = measureArea(routes, {
  records: { products: (id, count) => [productOf(id, count)] },
  growthRecords: {
    products: (id, count) => [{ ...productOf(id, count), description: description.repeat(5).slice(0, 400) }],
  },
  requests: {
    "GET /products, first page of 10": { query: { page: 1 } },
    "GET /products, last page of 10": ({ count }) => ({ query: { page: count / 10 } }),
    "GET /products, 10 of the catalog": { query: { limit: 10 } },
    "GET /products, one category": { query: { category: NEWEST } },
  },
  limits: { "GET /products/{product_id}": [1, 1, 1], "GET /products, 10 of the catalog": [5, 5, 4] },
  priced: { "GET /products, first page of 10": 0 },
  growth: [
    "GET /products?limit=10",
    "GET /products?page={last}",
    "GET /products?category=kind%207&limit=10",
    "GET /products?page=1&category=kind%207",
    "GET /products?page=1&min_price=50&in_stock=true",
  ],
  growthShare: 0.2,
});
