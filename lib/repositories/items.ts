import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { IndexName } from "../areas.ts";
import type { Creation, IdempotencyContext } from "../domain/idempotency.ts";
import type { ReadBudget } from "../domain/read-budget.ts";
import type { Item } from "../validators/item.ts";
import type { Precondition } from "./dynamodb/expressions.ts";
import { queryAll, type StoredItem } from "./dynamodb/query.ts";
import { IdAllocation } from "./records/id-allocation.ts";
import { type OffsetPage, readOffsetPage } from "./records/range-reader.ts";
import { type RecordOf, RecordRepository } from "./records/record-repository.ts";

/** The local index that lists read; it has the name of an item but not its text. */
const NAMES_INDEX: IndexName<"items"> = "names";

/**
 * An item as it is stored. `name` is JSON text as well, since a name may hold half of a surrogate pair, which
 * cannot be stored as itself. `listed` repeats the id: a local index needs a sort key of its own.
 */
export const StoredItemText = z.object({ listed: z.int(), name: z.string(), text: z.string() });

/** An object with its id, as the JSON text that was sent. */
export type StoredText = Pick<RecordOf<typeof StoredItemText>, "id" | "text">;

/**
 * The generic items: JSON objects, stored as the text that was sent.
 *
 * DynamoDB charges a query for whole items, even if it projects a single attribute. So lists read a local index of
 * the names. In contrast to a global index it has strongly consistent reads, and in contrast to a second item it
 * needs no transaction, which would double the price of the text; it costs one write unit. It limits the items of one
 * partition key to 10 GB together, of which a block of items of maximum size takes 0.4 GB.
 */
export class ItemsRepository {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #ids: IdAllocation;
  readonly #records: RecordRepository<RecordOf<typeof StoredItemText>>;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#ids = new IdAllocation(client, table);
    this.#records = new RecordRepository(client, table, StoredItemText);
  }

  /**
   * Stores an object under the next id. Two calls.
   *
   * @param text the object as JSON text
   * @param name its name in lists
   * @param idempotency one call more
   * @throws ApiError `ValidationError` if text and name together exceed the size of an item; no id is used then
   * @throws ApiError `ServiceUnavailable`
   */
  async create(
    text: string,
    name: string,
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<StoredText>> {
    const fieldsOf = (listed: number) => ({ listed, name: JSON.stringify(name), text });
    const { record, replayed } = await this.#records.create(fieldsOf, idempotency);
    return { record: { id: record.id, text }, replayed };
  }

  /** Reads the JSON text of an object; undefined if it does not exist. One call. */
  async get(id: number): Promise<string | undefined> {
    return (await this.#records.get(id))?.text;
  }

  /**
   * Reads a page of the names in id order. Two calls in sequence, whatever the position.
   *
   * @param offset how many items to skip
   * @param size how many items to take at most
   * @throws ApiError `ServiceUnavailable`
   */
  page(offset: number, size: number, budget?: ReadBudget): Promise<OffsetPage<Item>> {
    return readOffsetPage(this.#ids, offset, size, "ascending", async ({ block, from, to }) => {
      const query = {
        TableName: this.#table,
        IndexName: NAMES_INDEX,
        KeyConditionExpression: "pk = :pk AND listed BETWEEN :from AND :to",
        ExpressionAttributeValues: { ":pk": String(block), ":from": from, ":to": to },
      };
      const items = await queryAll(this.#client, query, budget);
      return items.map(decodeName);
    });
  }

  /**
   * Deletes an item.
   *
   * @param precondition called with the object before it is deleted
   * @returns false if the item does not exist
   * @throws ApiError `PreconditionFailed` if the precondition fails, or the item changed after it was checked
   * @throws ApiError `ServiceUnavailable`
   */
  remove(id: number, precondition?: Precondition<StoredText>): Promise<boolean> {
    return this.#records.remove(id, precondition);
  }
}

const StoredName = StoredItemText.pick({ listed: true, name: true });

function decodeName(item: StoredItem): Item {
  const { listed, name } = StoredName.parse(item);
  return { id: listed, name: z.string().parse(JSON.parse(name)) };
}
