import * as z from "zod";
import { ListQuery } from "./cursor.ts";
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
 * What can be stored of a product. The texts are bounded, since the products of one order have to fit into one
 * transaction of 4 MB; price and stock, so that what is added up from them stays an exact number
 * (docs/decisions.md).
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

/** A field that is absent or null keeps the record's current value. */
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

/** The query of the product list: `page` or `size` asks for variant A, the others filter in either. */
export const ProductQuery = z.object({
  ...ListQuery.shape,
  page: integerParameter(z.int().min(1).optional()).describe("1 when only size is given"),
  size: integerParameter(z.int().min(0).optional()).describe("10 when only page is given"),
  category: filter(textParameter(z.string().optional())).describe("Keeps products of exactly this category"),
  min_price: filter(numberParameter(z.number().optional())).describe(
    "Keeps prices from here on; 0 keeps all",
  ),
  max_price: filter(numberParameter(z.number().optional())).describe("Keeps prices up to here; 0 keeps all"),
  in_stock: z
    .preprocess(emptyAsFalse, booleanParameter(z.boolean().optional()))
    .describe("Keeps products in stock; true unless told, but on a page of products"),
});

/** The filters of the product list; what is absent, empty or 0 is not applied. */
export type ProductFilters = Omit<z.output<typeof ProductQuery>, "page" | "size" | "limit" | "cursor">;

function nullishToUndefined<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** A filter that is given but empty is not applied (specification, "Products", variant B). */
function filter<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (isEmpty(value) ? undefined : value), schema);
}

/** For `in_stock` not to be applied is not the same as to be absent, which means true. */
function emptyAsFalse(value: unknown): unknown {
  return isEmpty(value) ? ["false"] : value;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.at(-1) === "";
}
