import * as z from "zod";
import { admin, type BearerServices } from "../../lib/auth/authorizers.ts";
import { Failure } from "../../lib/failure.ts";
import { tagOf } from "../../lib/http/entity-tags.ts";
import { fitting, fittingPage } from "../../lib/http/lists.ts";
import { answer, area } from "../../lib/http/route.ts";
import type { ProductsRepository } from "../../lib/repositories/products.ts";
import { cursorAfter } from "../../lib/schemas/cursor.ts";
import { integerParameter } from "../../lib/schemas/parameter.ts";
import {
  CreateProductRequest,
  PatchProductRequest,
  Product,
  ProductPage,
  ProductQuery,
} from "../../lib/schemas/product.ts";
import { catalog, catalogPage } from "./listing.ts";

/** What the product routes work with. */
export interface ProductsServices extends BearerServices {
  readonly products: ProductsRepository;
}

const route = area<ProductsServices>({ tag: "products", dialect: "detail" });
const path = z.object({ product_id: integerParameter(z.int()) });
const failures = { 404: "No product has that id" } as const;

/** The product area (specification, "Products"). */
export const productsRoutes = [
  route("GET /products", {
    operationId: "listProducts",
    summary: "List products: a page of them when page or size is given, else the catalog",
    query: ProductQuery,
    answers: {
      200: z
        .union([ProductPage, z.array(Product)])
        .describe(
          "With `page` or `size` a page; without either an array, of the products in stock unless told",
        ),
    },
    pagedBy: "size",
    goesOn: true,
    handle: async ({ query: { page, size, limit, cursor, ...filters }, target }, { products }) => {
      if (page === undefined && size === undefined) {
        const slice = await catalog(products, filters, { after: cursor, limit });
        const { records, headers } = fitting(slice, target, ({ id }) => cursorAfter(id));
        return answer(200, records, headers);
      }
      const asked = await catalogPage(products, page ?? 1, size ?? 10, filters);
      const { records, headers } = fittingPage(asked.items, asked, target, "size");
      return answer(200, { ...asked, items: records }, headers);
    },
  }),
  route("GET /products/{product_id}", {
    operationId: "getProduct",
    summary: "Get a product",
    path,
    answers: { 200: Product },
    failures,
    etag: tagOf,
    handle: async ({ path: { product_id: id } }, { products }) =>
      answer(200, found(id, await products.get(id))),
  }),
  route("POST /products", {
    operationId: "createProduct",
    summary: "Create a product",
    authorizer: admin,
    body: CreateProductRequest,
    answers: { 201: Product },
    answerHeaders: { 201: ["location"] },
    creates: true,
    etag: tagOf,
    handle: async ({ body, once }, { products }) => {
      const product = await products.create(body, once);
      return answer(201, product, { location: `/products/${product.id}` });
    },
  }),
  route("PUT /products/{product_id}", {
    operationId: "replaceProduct",
    summary: "Replace a product",
    authorizer: admin,
    path,
    body: CreateProductRequest,
    answers: { 200: Product },
    failures,
    etag: tagOf,
    handle: async ({ path: { product_id: id }, body, expect }, { products }) =>
      answer(200, found(id, await products.update(id, body, expect))),
  }),
  route("PATCH /products/{product_id}", {
    operationId: "updateProduct",
    summary: "Change a product; absent and null fields keep their values",
    authorizer: admin,
    path,
    body: PatchProductRequest,
    answers: { 200: Product },
    failures,
    etag: tagOf,
    handle: async ({ path: { product_id: id }, body, expect }, { products }) =>
      answer(200, found(id, await products.update(id, body, expect))),
  }),
  route("DELETE /products/{product_id}", {
    operationId: "deleteProduct",
    summary: "Delete a product",
    authorizer: admin,
    path,
    answers: { 204: z.undefined() },
    failures,
    etag: tagOf,
    handle: async ({ path: { product_id: id }, expect }, { products }) => {
      found(id, (await products.remove(id, expect)) || undefined);
      return answer(204);
    },
  }),
];

function found<T>(id: number, product: T | undefined): T {
  if (product === undefined) throw new Failure("NotFound", `Product with id ${id} not found`);
  return product;
}
