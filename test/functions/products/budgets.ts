import { ProductsRepository } from "../../../lib/repositories/products.ts";
import type { ReadBudgets } from "../../support/database/read-budgets.ts";

export const budgets: ReadBudgets = {
  dependencies: (client) => ({ products: new ProductsRepository(client, "products") }),
  advice: { "/products?page=1&category=x": "`cursor`" },
};
