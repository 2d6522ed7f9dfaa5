import { type ReadBudget, withAdvice } from "../../lib/domain/read-budget.ts";
import { TopRecords } from "../../lib/domain/top-records.ts";
import type { CursorPage, OffsetPage } from "../../lib/records/range-reader.ts";
import type { ProductsRepository } from "../../lib/repositories/products.ts";
import type { Product, ProductFilters } from "../../lib/validators/product.ts";

const filteredFields = ["category", "price", "stock"] as const;

/** A page has any size, so its products are read in parts, until they are more than a response holds. */
const PART_SIZE = 1_000;
const MAX_RESPONSE_CHARACTERS = 6_500_000;

/** The catalog in id order (specification, "Products", variant B). `in_stock` is true by default. */
export function listCatalog(
  products: ProductsRepository,
  filters: ProductFilters,
  { after, limit }: { readonly after?: number | undefined; readonly limit?: number | undefined },
  budget: ReadBudget,
): Promise<CursorPage<Product>> {
  const filter = matching({ ...filters, in_stock: filters.in_stock ?? true });
  return products.list({ after, limit, filter }, budget.forPart());
}

/**
 * A page of the matching products (specification, "Products", variant A), whose exact total takes the fields of all.
 */
export async function readCatalogPage(
  products: ProductsRepository,
  position: { readonly page: number; readonly size: number },
  filters: ProductFilters,
  budget: ReadBudget,
): Promise<OffsetPage<Product>> {
  // Below 1 there are no products.
  const size = position.page < 1 ? 0 : position.size;
  const offset = Math.max(0, position.page - 1) * size;
  const { category, min_price, max_price, in_stock } = filters;
  if (!category && !min_price && !max_price && !in_stock) {
    let total = 0;
    const records = await readInParts(size, async (skip, count) => {
      const part = await products.page(offset + skip, count, "ascending", budget);
      total = part.total;
      return part.records;
    });
    return { records, total };
  }
  const matches = matching(filters);
  const found = new TopRecords<number>((a, b) => a - b, offset + size);
  const advice = "Use the catalog with `limit` and `cursor` instead of `page` and `size`";
  await withAdvice(advice, () =>
    products.forEach(
      filteredFields,
      (product) => {
        if (matches(product)) found.add(product.id);
      },
      budget,
    ),
  );
  const ids = found.sorted().slice(offset);
  const records = await readInParts(ids.length, (skip, count) =>
    products.getMany(ids.slice(skip, skip + count), budget),
  );
  return { records, total: found.total };
}

async function readInParts(size: number, read: (skip: number, count: number) => Promise<readonly Product[]>) {
  const all: Product[] = [];
  let characters = 0;
  for (let skip = 0; skip === 0 || skip < size; skip += PART_SIZE) {
    const part = await read(skip, Math.min(PART_SIZE, size - skip));
    all.push(...part);
    characters += JSON.stringify(part).length;
    if (part.length === 0 || characters > MAX_RESPONSE_CHARACTERS) break;
  }
  return all;
}

/** A filter that is absent, empty, 0 or false matches every product. */
function matching({ category, min_price, max_price, in_stock }: ProductFilters) {
  return (product: Pick<Product, (typeof filteredFields)[number]>): boolean =>
    (!category || product.category === category) &&
    (!min_price || product.price >= min_price) &&
    (!max_price || product.price <= max_price) &&
    (!in_stock || product.stock > 0);
}
