import { readFileSync } from "node:fs";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { itemIsAbsent } from "../../lib/dynamodb/expressions.ts";
import { transact } from "../../lib/dynamodb/writes.ts";
import { COUNTER_KEY } from "../../lib/records/id-allocation.ts";
import { recordKey } from "../../lib/records/id-blocks.ts";
import type { CreateProductRequest } from "../../lib/validators/product.ts";
import type { AreaSamples } from "../define-area.ts";

/** A small catalog for trying out the service: the rows of samples.md. The fountain pen is out of stock. */
export const catalogProducts: readonly CreateProductRequest[] = readFileSync(
  new URL("samples.md", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .slice(2)
  .map((row) => {
    const [name = "", category = "", price, stock, description = ""] = row.slice(2, -2).split(" | ");
    return { name, description, price: Number(price), stock: Number(stock), category };
  });

/** Loads the catalog in one transaction. @returns how many products: 0 if there are or were products */
export async function loadCatalog(client: DynamoDBClient, table: string): Promise<number> {
  const allocateAll = {
    TableName: table,
    Key: COUNTER_KEY,
    UpdateExpression: "SET #last = :count",
    // A counter back at 0 counts as unused.
    ConditionExpression: "attribute_not_exists(#last) OR #last = :zero",
    ExpressionAttributeNames: { "#last": "last" },
    ExpressionAttributeValues: { ":count": catalogProducts.length, ":zero": 0 },
  };
  const puts = catalogProducts.map((product, i) => ({
    Put: { TableName: table, Item: { ...recordKey(i + 1), ...product }, ...itemIsAbsent },
  }));
  const refused = await transact(client, { counter: { Update: allocateAll }, products: puts });
  if (refused.has("counter")) return 0;
  if (refused.size > 0) throw new Error("The table has a product under an id that was never allocated");
  return catalogProducts.length;
}

export const samples: AreaSamples = { count: catalogProducts.length, load: loadCatalog };
