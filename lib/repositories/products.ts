import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { Product } from "../validators/product.ts";
import { RecordRepository } from "./records/records.ts";

export type ProductsRepository = RecordRepository<Product>;

/**
 * The products.
 *
 * @param client from `documentClient`
 * @param table the table's name
 */
export function productsRepository(client: DynamoDBDocumentClient, table: string): ProductsRepository {
  return new RecordRepository(client, table, Product);
}
