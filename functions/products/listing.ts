import type { ProductsRepository } from "../../lib/repositories/products.ts";
import type { CursorPage, RangeQuery } from "../../lib/repositories/records/range-reader.ts";
import type { Product, ProductFilters } from "../../lib/validators/product.ts";

interface ProductPage {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly items: Product[];
}

/**
 * The products that match (specification, "Products", variant B), or so many of them from a place on.
 *
 * @param filters `in_stock` is true when absent
 * @param place where to begin and how many to take
 * @returns them in id order
 */
export function catalog(
  products: ProductsRepository,
  filters: ProductFilters,
  place: Omit<RangeQuery<Product>, "filter"> = {},
): Promise<CursorPage<Product>> {
  const filter = matching({ ...filters, in_stock: filters.in_stock ?? true });
  return products.list({ ...place, filter });
}

/**
 * One page of all products, or of those that match where filters are given (specification, "Products",
 * variant A; README, "Decisions"). Without a filter the page is found by arithmetic and nothing else is read.
 *
 * @param page from 1
 * @param size at most so many; 0 makes every page empty
 * @param filters none of them has a default here
 */
export async function catalogPage(
  products: ProductsRepository,
  page: number,
  size: number,
  filters: ProductFilters,
): Promise<ProductPage> {
  const offset = (page - 1) * size;
  const { category, min_price, max_price, in_stock } = filters;
  if (!category && !min_price && !max_price && !in_stock) {
    const { records, total } = await products.page(offset, size);
    return { page, size, total, items: [...records] };
  }
  const matches = (await products.all()).filter(matching(filters));
  return { page, size, total: matches.length, items: matches.slice(offset, offset + size) };
}

/** A filter that is absent, empty, 0 or false keeps every product. */
function matching({ category, min_price, max_price, in_stock }: ProductFilters) {
  return (product: Product): boolean =>
    (!category || product.category === category) &&
    (!min_price || product.price >= min_price) &&
    (!max_price || product.price <= max_price) &&
    (!in_stock || product.stock > 0);
}
