import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { IndexName } from "../areas.ts";
import type { Creation, IdempotencyContext } from "../domain/idempotency.ts";
import type { Item } from "../validators/item.ts";
import type { Precondition } from "./dynamodb/expressions.ts";
import { queryAll, type StoredItem } from "./dynamodb/query.ts";
import { IdAllocation } from "./records/id-allocation.ts";
import { type OffsetPage, readPage } from "./records/pages.ts";
import { RecordRepository } from "./records/records.ts";

/** The local index that lists read; it has an item's name but not its text. */
const NAMES: IndexName<"items"> = "names";

/**
 * How an item is stored. `name` is JSON text as well, since a name may hold half of a surrogate pair, which
 * cannot be stored as itself. `listed` is the id once more: a local index needs a sort key of its own.
 */
const Stored = z.object({ id: z.int(), listed: z.int(), name: z.string(), text: z.string() });

/** An object with its id, as the JSON text that it was sent as. */
export type StoredText = Pick<z.output<typeof Stored>, "id" | "text">;

/**
 * The generic items: JSON objects, kept as the very text that they were sent as.
 *
 * A query is charged for all of an item, even where it asks for one attribute. So lists read a local index with
 * the names alone. Unlike a global one it can be read strongly consistent, and unlike a second item it needs no
 * transaction, which would double the price of the text; it costs one write unit. Its price is a bound of 10 GB
 * to all items of one partition key, of which a block of full items takes 0.4.
 */
export class ItemsRepository {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #ids: IdAllocation;
  readonly #records: RecordRepository<z.output<typeof Stored>>;

  /**
   * @param client from `documentClient`
   * @param table the table's name
   */
  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#ids = new IdAllocation(client, table);
    this.#records = new RecordRepository(client, table, Stored);
  }

  /**
   * Stores an object under the next id. Two calls.
   *
   * @param text the object as JSON text
   * @param name its name in lists
   * @param idempotency under which key, which takes one call more
   * @throws ApiError `ValidationError` when text and name together are larger than an item can be; no id is used
   *   then
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

  /** The JSON text of the object with an id, or undefined when there is none. One call. */
  async get(id: number): Promise<string | undefined> {
    return (await this.#records.get(id))?.text;
  }

  /**
   * A page of the names, in id order, by arithmetic: two calls in sequence.
   *
   * @param offset how many items to pass over
   * @param size how many items to take at most
   * @throws ApiError `ServiceUnavailable`
   */
  page(offset: number, size: number): Promise<OffsetPage<Item>> {
    return readPage(this.#ids, offset, size, "ascending", async ({ block, from, to }) => {
      const items = await queryAll(this.#client, {
        TableName: this.#table,
        IndexName: NAMES,
        KeyConditionExpression: "pk = :pk AND listed BETWEEN :from AND :to",
        ExpressionAttributeValues: { ":pk": String(block), ":from": from, ":to": to },
      });
      return items.map(decode);
    });
  }

  /**
   * Deletes an item.
   *
   * @param precondition called with the object that is deleted
   * @returns false when no item has that id
   * @throws ApiError `PreconditionFailed` when it has changed since it was expected
   * @throws ApiError `ServiceUnavailable`
   */
  remove(id: number, precondition?: Precondition<StoredText>): Promise<boolean> {
    return this.#records.remove(id, precondition);
  }
}

const Listed = Stored.pick({ listed: true, name: true });

function decode(item: StoredItem): Item {
  const { listed, name } = Listed.parse(item);
  return { id: listed, name: z.string().parse(JSON.parse(name)) };
}
