import { ProductsRepository } from "../../../lib/repositories/products.ts";
import { CreateProductRequest } from "../../../lib/validators/product.ts";
import { type LargestRecord, longText } from "../../support/database/largest-record.ts";

const texts = { name: longText(200), category: longText(100), description: longText(2_000) };
const product = CreateProductRequest.parse({ ...texts, price: 1e-9, stock: 1e12 });

export const largest: LargestRecord = {
  kilobytes: 10,
  create: (client, table, idempotency) => new ProductsRepository(client, table).create(product, idempotency),
};
