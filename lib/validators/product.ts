import * as z from "zod";
import { ListQuery } from "./cursor.ts";
import { nullishToUndefined } from "./nullish.ts";
import { booleanParameter, integerParameter, numberParameter, textParameter } from "./parameter.ts";
import { text } from "./text.ts";

/** Product (specification, "Resources and their fields"). */
export const Product = z
  .object({
    id: z.int().min(1),
    name: text(),
    description: text(),
    price: z.number().gt(0),
    stock: z.int().min(0),
    category: text(),
  })
  .meta({ id: "Product" });
export type Product = z.output<typeof Product>;

/**
 * The bounds of what is stored. Texts are bounded because the products of one order must fit into one transaction of
 * 4 MB, price and stock so that totals stay exact (docs/decisions.md).
 */
const fields = {
  name: text({ max: 200 }),
  description: text({ max: 5_000 }),
  price: z.number().min(1e-9).max(1e12),
  stock: z.int().min(0).max(1e12),
  category: text({ max: 100 }),
};

export const CreateProductRequest = z.object(fields).meta({ id: "CreateProductRequest" });
export type CreateProductRequest = z.output<typeof CreateProductRequest>;

export const PatchProductRequest = z
  .object({
    name: nullishToUndefined(fields.name),
    description: nullishToUndefined(fields.description),
    price: nullishToUndefined(fields.price),
    stock: nullishToUndefined(fields.stock),
    category: nullishToUndefined(fields.category),
  })
  .meta({ id: "PatchProductRequest" });

/** A page of products (specification, "Products", variant A). */
export const ProductPage = z
  .object({ page: z.int().min(1), size: z.int().min(0), total: z.int().min(0), items: z.array(Product) })
  .meta({ id: "ProductPage" });

/** The query of `GET /products`: `page` or `size` selects the paged variant; filters apply to both. */
export const ProductQuery = z.object({
  ...ListQuery.shape,
  page: integerParameter(z.int().min(1).optional()).describe("1 by default if `size` is given"),
  size: integerParameter(z.int().min(0).optional()).describe("10 by default if `page` is given"),
  category: filter(textParameter(z.string().optional())).describe("Only products of exactly this category"),
  min_price: filter(numberParameter(z.number().optional())).describe("The lowest price; 0 means no bound"),
  max_price: filter(numberParameter(z.number().optional())).describe("The highest price; 0 means no bound"),
  in_stock: z
    .preprocess(emptyAsFalse, booleanParameter(z.boolean().optional()))
    .describe("Only products in stock; true by default, except on a page"),
});

/** The filters of `GET /products`. A filter that is absent, empty or 0 is not applied. */
export type ProductFilters = Omit<z.output<typeof ProductQuery>, "page" | "size" | "limit" | "cursor">;

/** An empty filter is not applied (specification, "Products", variant B). */
function filter<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (isEmpty(value) ? undefined : value), schema);
}

/** An empty `in_stock` is not applied, whereas an absent one means true. */
function emptyAsFalse(value: unknown): unknown {
  return isEmpty(value) ? ["false"] : value;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.at(-1) === "";
}
