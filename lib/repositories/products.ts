import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Owner } from "../domain/ownership.ts";
import type { RecordOf, StoredSchema } from "../records/record-reader.ts";
import { RecordRepository } from "../records/record-repository.ts";
import type { Product } from "../validators/product.ts";

/** A product as it is stored. A field that is added later needs a default: older products do not have it. */
export const StoredProduct = z.object({
  name: z.string(),
  description: z.string(),
  price: z.number(),
  stock: z.int(),
  category: z.string(),
}) satisfies StoredSchema<Product>;

export class ProductsRepository extends RecordRepository<RecordOf<typeof StoredProduct>> {
  constructor(client: DynamoDBClient, table: string, owner?: Owner) {
    super(client, table, StoredProduct, owner);
  }
}
