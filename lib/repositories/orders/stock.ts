import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { StockDeduction } from "../../domain/cart.ts";
import { admissionOf } from "../../dynamodb/admission.ts";
import { withoutDamaged } from "../../dynamodb/decode.ts";
import { type Condition, itemExists } from "../../dynamodb/expressions.ts";
import { updateItem } from "../../dynamodb/update.ts";
import {
  epochOf,
  operationsOn,
  raiseEpoch,
  type Target,
  updateExactlyOnce,
} from "../../records/exactly-once.ts";
import { recordKey } from "../../records/id-blocks.ts";
import type { Product } from "../../validators/product.ts";
import { ProductsRepository } from "../products.ts";

/** Orders in progress per product: with 12 bytes each, a small product stays below 1 KB (docs/adr/0029). */
const MAX_IN_PROGRESS = 32;

interface ReadProduct extends Product {
  readonly epoch: number;
}

/** The limit of the route is enough for smaller ones (docs/adr/0028). */
const MAX_SMALL_CART = 5;

/** What an order takes of a product, which must still have this price and epoch. */
export interface ReadDeduction extends Pick<StockDeduction, "product_id" | "quantity"> {
  readonly product: Pick<ReadProduct, "price" | "epoch">;
}

/**
 * The stock of the products (docs/adr/0026). `stockChanges` counts the changes: a product whose stock is back
 * where it was differs from the one that was read.
 */
export class Stock {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #products: ProductsRepository;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#products = new ProductsRepository(client, table);
  }

  /**
   * Reads those products that exist, by id; undefined while one has too many orders in progress. One call.
   * @throws ApiError `TooManyRequests` for a large cart while writes take too much of the table
   */
  async read(ids: readonly number[]): Promise<ReadonlyMap<number, ReadProduct> | undefined> {
    const isLarge = new Set(ids).size > MAX_SMALL_CART;
    const admission = isLarge ? admissionOf(this.#client, this.#table, "carts") : undefined;
    await admission?.admitWrite(2 * ids.length);
    const items = await this.#products.readMany(ids);
    const products = withoutDamaged(items, (item) => ({
      ...this.#products.decode(item),
      epoch: epochOf(item),
    }));
    // An order writes each product twice, as large as it is.
    for (const product of products)
      admission?.take(2 * Math.ceil(Buffer.byteLength(JSON.stringify(product)) / 1_024));
    const isBusy = items.some((item) => operationsOn(item).length >= MAX_IN_PROGRESS);
    return isBusy ? undefined : new Map(products.map((product) => [product.id, product]));
  }

  /**
   * Deducts stock for an operation, which stays until it is ended. One call.
   *
   * @returns how often the stock has changed then; false if it does not suffice, or the price or epoch has
   *   changed since it was read
   */
  async deduct(operation: string, { product_id, quantity, product }: ReadDeduction): Promise<number | false> {
    const { isDone, item } = await updateExactlyOnce(this.#client, this.#target(product_id), {
      operation,
      epoch: product.epoch,
      UpdateExpression: "SET stock = stock - :quantity, #operation = :quantity ADD stockChanges :one",
      ConditionExpression: "stock >= :quantity AND price = :price",
      ExpressionAttributeValues: { ":quantity": quantity, ":price": product.price, ":one": 1 },
    });
    return isDone && Number(item.stockChanges);
  }

  /** Ends an operation and returns its stock. One call, and one more if the deduction may still arrive. */
  async return(operation: string, id: number, mayArrive: boolean): Promise<void> {
    if (mayArrive) await raiseEpoch(this.#client, this.#target(id));
    await this.#end(operation, id, {
      UpdateExpression: "SET stock = stock + #operation ADD stockChanges :one REMOVE #operation",
      ExpressionAttributeValues: { ":one": 1 },
    });
  }

  /** Ends an operation whose order is written. One call. */
  async removeOperation(operation: string, id: number): Promise<void> {
    await this.#end(operation, id, { UpdateExpression: "REMOVE #operation" });
  }

  async #end(
    operation: string,
    id: number,
    change: Pick<Condition, "ExpressionAttributeValues"> & { UpdateExpression: string },
  ): Promise<void> {
    await updateItem(this.#client, {
      TableName: this.#table,
      Key: recordKey(id),
      ConditionExpression: "attribute_exists(#operation)",
      ExpressionAttributeNames: { "#operation": operation },
      ...change,
    });
  }

  #target(id: number): Target {
    return { TableName: this.#table, Key: recordKey(id), raiseIf: itemExists };
  }
}
