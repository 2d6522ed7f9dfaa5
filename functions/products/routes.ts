import * as z from "zod/mini";
import { admin, type BearerDependencies } from "../../lib/auth/authorizers.ts";
import { notFound } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { limitPageToResponseSize, listResponse } from "../../lib/http/pagination.ts";
import { created, deleted, found, response, routeBuilder } from "../../lib/http/route.ts";
import { type ProductsRepository, StoredProduct } from "../../lib/repositories/products.ts";
import { byId } from "../../lib/validators/cursor.ts";
import { integer } from "../../lib/validators/integer.ts";
import { withMetadata } from "../../lib/validators/metadata.ts";
import { integerParameter } from "../../lib/validators/parameter.ts";
import {
  CreateProductRequest,
  PatchProductRequest,
  Product,
  ProductPage,
  ProductQuery,
} from "../../lib/validators/product.ts";
import { listCatalog, readCatalogPage } from "./catalog.ts";

interface ProductsDependencies extends BearerDependencies {
  readonly products: ProductsRepository;
}

const route = routeBuilder<ProductsDependencies>({ tag: "products", errorFormat: "detail" });
const path = z.object({ product_id: integerParameter(z.int(), "The product's id") });
const errors = { 404: { when: "No product has this id", example: notFound("Product", 7) } };

export const routes = [
  route("GET /products", {
    operationId: "listProducts",
    summary: "List products: a page if page or size is given, otherwise the catalog",
    description:
      "In id order. A page has all products that match the filters given; one below 1 or beyond the end is empty, and " +
      "a `size` below 0 counts as 0. The catalog has only products in stock " +
      "unless `in_stock` is false; `limit` and `cursor` paginate the catalog and do not apply to pages.",
    request: { query: ProductQuery },
    responses: {
      200: withMetadata(z.union([ProductPage, z.array(Product)]), {
        description: "With `page` or `size` a page, otherwise an array",
      }),
    },
    handle: async ({ query: { page, size, limit, cursor, ...filters }, target, budget }, { products }) => {
      if (page === undefined && size === undefined) {
        const catalog = await listCatalog(products, filters, { after: cursor, limit }, budget());
        return listResponse(catalog, target, byId);
      }
      const position = { page: page ?? 1, size: Math.max(0, size ?? 10) };
      const { records: all, total } = await readCatalogPage(products, position, filters, budget());
      const { records, headers } = limitPageToResponseSize(all, { ...position, total }, target, "size");
      return response(200, { ...position, total, items: records }, headers);
    },
  }),
  route("GET /products/{product_id}", {
    operationId: "getProduct",
    summary: "Get a product",
    description: "The stock is what the latest order has left, and part of the `ETag`.",
    request: { path },
    responses: { 200: Product },
    errors,
    etag: entityTag,
    handle: async ({ path: { product_id: id } }, { products }) =>
      found(await products.get(id), "Product", id),
  }),
  route("POST /products", {
    operationId: "createProduct",
    summary: "Create a product",
    description: "Administrators only. The token is checked before the rest of the request.",
    authorizer: admin,
    request: { body: CreateProductRequest },
    responses: { 201: Product },
    etag: entityTag,
    location: ({ id }: Product) => `/products/${id}`,
    handle: async ({ body, idempotency }, { products }) => created(await products.create(body, idempotency)),
  }),
  route("PUT /products/{product_id}", {
    operationId: "replaceProduct",
    summary: "Replace a product",
    description:
      "Administrators only. All fields are required: the token is checked first, then the body, then the id. Orders " +
      "keep the prices at which they were placed.",
    authorizer: admin,
    request: { path, body: CreateProductRequest },
    responses: { 200: Product },
    errors,
    etag: entityTag,
    handle: async ({ path: { product_id: id }, body, precondition }, { products }) =>
      found(await products.update(id, body, precondition), "Product", id),
  }),
  route("PATCH /products/{product_id}", {
    operationId: "updateProduct",
    summary: "Change a product; absent and null fields keep their values",
    description:
      "Administrators only; `{}` changes nothing. Orders deduct stock at any time: `If-Match` prevents a new stock " +
      "from overwriting that.",
    authorizer: admin,
    request: { path, body: PatchProductRequest },
    responses: { 200: Product },
    errors,
    etag: entityTag,
    handle: async ({ path: { product_id: id }, body, precondition }, { products }) =>
      found(await products.update(id, body, precondition), "Product", id),
  }),
  route("DELETE /products/{product_id}", {
    operationId: "deleteProduct",
    summary: "Delete a product",
    description: "Administrators only. Orders keep their lines and totals, and the id is not reused.",
    authorizer: admin,
    request: { path },
    responses: { 204: z.undefined() },
    errors,
    etag: entityTag,
    handle: async ({ path: { product_id: id }, precondition }, { products }) =>
      deleted(await products.remove(id, precondition), "Product", id),
  }),
];

/** Reads tolerate a negative stock; the repair names it. */
export const stored = { schema: z.extend(StoredProduct, { stock: integer({ min: 0 }) }) };
