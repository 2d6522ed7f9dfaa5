import * as z from "zod/mini";
import { ListQuery } from "./cursor.ts";
import { integer } from "./integer.ts";
import { namedObject } from "./metadata.ts";
import {
  booleanParameter,
  filter,
  integerParameter,
  isEmpty,
  numberParameter,
  textParameter,
} from "./parameter.ts";
import { allNullishToUndefined, preprocess } from "./preprocess.ts";
import { text } from "./text.ts";

export const Product = namedObject("Product", {
  id: integer({ min: 1 }),
  name: text(),
  description: text(),
  price: z.number().check(z.gt(0)),
  stock: integer({ min: 0 }),
  category: text(),
});
export type Product = z.output<typeof Product>;

/** Texts are bounded because lists read whole products, price and stock so that totals stay exact. */
const fields = {
  name: text({ max: 200 }),
  description: text({ max: 2_000 }),
  price: z.number().check(z.gte(1e-9), z.lte(1e12)),
  stock: integer({ min: 0, max: 1e12 }),
  category: text({ max: 100 }),
};

export const CreateProductRequest = namedObject("CreateProductRequest", fields);
export type CreateProductRequest = z.output<typeof CreateProductRequest>;

export const PatchProductRequest = namedObject("PatchProductRequest", allNullishToUndefined(fields));

export const ProductPage = namedObject("ProductPage", {
  page: z.int(),
  size: integer({ min: 0 }),
  total: integer({ min: 0 }),
  items: z.array(Product),
});

/** The query of `GET /products`: `page` or `size` selects the paged variant; filters apply to both. */
export const ProductQuery = z.object({
  ...ListQuery.shape,
  page: integerParameter(z.optional(z.int()), "1 by default if `size` is given"),
  size: integerParameter(z.optional(z.int()), "10 by default if `page` is given"),
  category: filter(textParameter(z.optional(z.string()), "Only products of exactly this category", "home")),
  min_price: filter(numberParameter(z.optional(z.number()), "The lowest price; 0 means no bound")),
  max_price: filter(numberParameter(z.optional(z.number()), "The highest price; 0 means no bound")),
  in_stock: preprocess(
    emptyAsFalse,
    booleanParameter(z.optional(z.boolean()), "Only products in stock; true by default, except on a page"),
  ),
});

/** The filters of `GET /products`. A filter that is absent, empty or 0 is not applied. */
export type ProductFilters = Omit<z.output<typeof ProductQuery>, "page" | "size" | "limit" | "cursor">;

/** An empty `in_stock` is not applied, whereas an absent one means true. */
function emptyAsFalse(value: unknown): unknown {
  return isEmpty(value) ? ["false"] : value;
}
