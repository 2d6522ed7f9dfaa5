import * as z from "zod";
import { admin, type BearerDependencies } from "../../lib/auth/authorizers.ts";
import { notFound } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { limitPageToResponseSize, limitToResponseSize } from "../../lib/http/pagination.ts";
import { created, response, routeBuilder } from "../../lib/http/route.ts";
import type { ProductsRepository } from "../../lib/repositories/products.ts";
import { cursorAfter } from "../../lib/validators/cursor.ts";
import { integerParameter } from "../../lib/validators/parameter.ts";
import {
  CreateProductRequest,
  PatchProductRequest,
  Product,
  ProductPage,
  ProductQuery,
} from "../../lib/validators/product.ts";
import { catalog, catalogPage } from "./listing.ts";

/** What the product routes work with. */
export interface ProductsDependencies extends BearerDependencies {
  readonly products: ProductsRepository;
}

const route = routeBuilder<ProductsDependencies>({ tag: "products", errorFormat: "detail" });
const path = z.object({ product_id: integerParameter(z.int()).describe("The product's id") });
const errors = { 404: { when: "No product has that id", example: notFound("Product", 7) } };

/** The product area (specification, "Products"). */
export const productsRoutes = [
  route("GET /products", {
    operationId: "listProducts",
    summary: "List products: a page of them when page or size is given, else the catalog",
    description:
      "A page has the products that match the filters given, and all of them without any. The catalog has what is " +
      "in stock, unless `in_stock` is false; `limit` and `cursor` read it part by part and mean nothing on a " +
      "page. Both are in the order of the ids.",
    query: ProductQuery,
    responses: {
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
        const { records, headers } = limitToResponseSize(slice, target, ({ id }) => cursorAfter(id));
        return response(200, records, headers);
      }
      const asked = await catalogPage(products, page ?? 1, size ?? 10, filters);
      const { records, headers } = limitPageToResponseSize(asked.items, asked, target, "size");
      return response(200, { ...asked, items: records }, headers);
    },
  }),
  route("GET /products/{product_id}", {
    operationId: "getProduct",
    summary: "Get a product",
    description: "The stock is what the last order has left of it, and part of the `ETag`.",
    path,
    responses: { 200: Product },
    errors,
    etag: entityTag,
    handle: async ({ path: { product_id: id } }, { products }) =>
      response(200, found(id, await products.get(id))),
  }),
  route("POST /products", {
    operationId: "createProduct",
    summary: "Create a product",
    description: "For administrators. The token is checked before anything else of the request.",
    authorizer: admin,
    body: CreateProductRequest,
    responses: { 201: Product },
    responseHeaders: { 201: ["location"] },
    creates: true,
    etag: entityTag,
    handle: async ({ body, idempotency }, { products }) => {
      const creation = await products.create(body, idempotency);
      return created(creation.record, creation, { location: `/products/${creation.record.id}` });
    },
  }),
  route("PUT /products/{product_id}", {
    operationId: "replaceProduct",
    summary: "Replace a product",
    description:
      "For administrators. All fields are needed: the token is checked first, then the body, then whether there " +
      "is such a product. Orders keep the prices that they were placed at.",
    authorizer: admin,
    path,
    body: CreateProductRequest,
    responses: { 200: Product },
    errors,
    etag: entityTag,
    handle: async ({ path: { product_id: id }, body, precondition }, { products }) =>
      response(200, found(id, await products.update(id, body, precondition))),
  }),
  route("PATCH /products/{product_id}", {
    operationId: "updateProduct",
    summary: "Change a product; absent and null fields keep their values",
    description:
      "For administrators; `{}` changes nothing. An order takes stock at any time: `If-Match` keeps a new stock " +
      "from undoing that.",
    authorizer: admin,
    path,
    body: PatchProductRequest,
    responses: { 200: Product },
    errors,
    etag: entityTag,
    handle: async ({ path: { product_id: id }, body, precondition }, { products }) =>
      response(200, found(id, await products.update(id, body, precondition))),
  }),
  route("DELETE /products/{product_id}", {
    operationId: "deleteProduct",
    summary: "Delete a product",
    description:
      "For administrators. Orders keep their lines and totals, and the id is not given to another product.",
    authorizer: admin,
    path,
    responses: { 204: z.undefined() },
    errors,
    etag: entityTag,
    handle: async ({ path: { product_id: id }, precondition }, { products }) => {
      found(id, (await products.remove(id, precondition)) || undefined);
      return response(204);
    },
  }),
];

function found<T>(id: number, product: T | undefined): T {
  if (product === undefined) throw notFound("Product", id);
  return product;
}
