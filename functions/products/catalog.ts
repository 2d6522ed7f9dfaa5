import type { ProductsRepository } from "../../lib/repositories/products.ts";
import type { CursorPage, OffsetPage } from "../../lib/repositories/records/range-reader.ts";
import type { Product, ProductFilters } from "../../lib/validators/product.ts";

/**
 * Lists the catalog in id order (specification, "Products", variant B).
 *
 * @param filters `in_stock` is true by default
 */
export function listCatalog(
  products: ProductsRepository,
  filters: ProductFilters,
  { after, limit }: { readonly after?: number | undefined; readonly limit?: number | undefined } = {},
): Promise<CursorPage<Product>> {
  const filter = matching({ ...filters, in_stock: filters.in_stock ?? true });
  return products.list({ after, limit, filter });
}

/**
 * Reads one page of the matching products in id order (specification, "Products", variant A). Without a filter only
 * the page itself is read.
 *
 * @param page from 1
 * @param size 0 makes every page empty
 * @param filters none of them has a default
 */
export async function readCatalogPage(
  products: ProductsRepository,
  { page, size }: { readonly page: number; readonly size: number },
  filters: ProductFilters,
): Promise<OffsetPage<Product>> {
  const offset = (page - 1) * size;
  const { category, min_price, max_price, in_stock } = filters;
  if (!category && !min_price && !max_price && !in_stock) return products.page(offset, size);
  const matches = (await products.all()).filter(matching(filters));
  return { records: matches.slice(offset, offset + size), total: matches.length };
}

/** A filter that is absent, empty, 0 or false matches every product. */
function matching({ category, min_price, max_price, in_stock }: ProductFilters) {
  return (product: Product): boolean =>
    (!category || product.category === category) &&
    (!min_price || product.price >= min_price) &&
    (!max_price || product.price <= max_price) &&
    (!in_stock || product.stock > 0);
}
