import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import type { Creation, IdempotencyContext } from "../domain/idempotency.ts";
import type { ReadBudget } from "../domain/read-budget.ts";
import type { Item } from "../validators/item.ts";
import type { Precondition } from "./dynamodb/expressions.ts";
import { queryRange, type StoredItem } from "./dynamodb/query.ts";
import { bodyKey, joinBodies } from "./records/bodies.ts";
import { IdAllocation } from "./records/id-allocation.ts";
import { type OffsetPage, readOffsetPage } from "./records/range-reader.ts";
import { type RecordOf, RecordRepository } from "./records/record-repository.ts";

/** An item as it is stored. `name` is JSON text as well: half of a surrogate pair cannot be stored as itself. */
export const StoredItemText = z.object({ name: z.string(), text: z.string() });

/** An object with its id, as the JSON text that was sent. */
export type ItemText = Pick<RecordOf<typeof StoredItemText>, "id" | "text">;

/**
 * The generic items: JSON objects, stored as the text that was sent.
 *
 * DynamoDB charges a query for whole items, even if it projects a single attribute. So every text is in a body, and
 * lists read the heads, with the names. An item never changes, so its body alone is enough to return it.
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
    this.#records = new RecordRepository(client, table, StoredItemText, {
      always: ["text"],
      large: ["name"],
    });
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
  ): Promise<Creation<ItemText>> {
    const fields = { name: JSON.stringify(name), text };
    const { record, replayed } = await this.#records.create(fields, idempotency);
    return { record: { id: record.id, text }, replayed };
  }

  /** Reads the JSON text of an object; undefined if it does not exist. One call. */
  async get(id: number): Promise<string | undefined> {
    if (id < 1) return undefined;
    const { Item: body } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: bodyKey(id), ConsistentRead: true }),
    );
    return body && StoredText.parse(body).text;
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
      const heads = await queryRange(this.#client, this.#table, String(block), from, to, budget);
      // A body has the name as well only if that is large.
      const named = heads.map((head) => ("name" in head ? { ...head, body: undefined } : head));
      const items = await joinBodies(this.#client, this.#table, named, budget);
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
  remove(id: number, precondition?: Precondition<ItemText>): Promise<boolean> {
    return this.#records.remove(id, precondition);
  }
}

const StoredText = z.pick(StoredItemText, { text: true });
const StoredName = z.pick(StoredItemText, { name: true });

function decodeName(item: StoredItem): Item {
  return { id: Number(item.sk), name: z.string().parse(JSON.parse(StoredName.parse(item).name)) };
}
