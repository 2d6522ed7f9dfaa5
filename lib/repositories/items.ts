import { DeleteItemCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Creation, IdempotencyContext } from "../domain/idempotency.ts";
import type { Owner } from "../domain/ownership.ts";
import type { ReadBudget } from "../domain/read-budget.ts";
import { toRawItem } from "../dynamodb/attribute-values.ts";
import { decode } from "../dynamodb/decode.ts";
import type { Precondition } from "../dynamodb/expressions.ts";
import { getItem } from "../dynamodb/query.ts";
import { TableAccess } from "../dynamodb/table-access.ts";
import type { OffsetPage } from "../records/range-reader.ts";
import type { RecordOf } from "../records/record-reader.ts";
import { RecordRepository } from "../records/record-repository.ts";
import type { Item } from "../validators/item.ts";

const JSON_STRING = /^"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"$/iu;

/** `name` is JSON text: half of a surrogate pair cannot be stored as itself. */
export const StoredName = z.object({ name: z.string().check(z.regex(JSON_STRING)) });
const StoredText = z.object({ text: z.string() });

export interface ItemText {
  readonly id: number;
  readonly text: string;
}

/** The generic items: JSON objects stored as the text that was sent, which never changes (docs/adr/0021). */
export class ItemsRepository extends TableAccess {
  readonly #names: RecordRepository<RecordOf<typeof StoredName>>;

  constructor(client: DynamoDBClient, table: string, owner?: Owner) {
    super(client, table);
    this.#names = new RecordRepository(client, table, StoredName, owner);
  }

  /** Stores an object as its JSON text under the next id. Two calls; three with an idempotency key. */
  async create(text: string, name: string, idempotency?: IdempotencyContext): Promise<Creation<ItemText>> {
    const others = (id: number) => ({
      text: { Put: { TableName: this.table, Item: { ...textKey(id), text } } },
    });
    const stored = { name: JSON.stringify(name) };
    const { record, replayed } = await this.#names.create(stored, idempotency, { others });
    return { record: { id: record.id, text }, replayed };
  }

  /** The JSON text of an object. One call; with an owner two, because texts have none. */
  async get(id: number): Promise<string | undefined> {
    if (id < 1) return undefined;
    const [item, isSeen] = await Promise.all([
      getItem(this.client, this.table, textKey(id)),
      this.#names.onlyOwner === undefined || this.#names.read(id),
    ]);
    return item && isSeen ? decode(StoredText, item).text : undefined;
  }

  /** A page of the names in id order. Two calls in sequence, whatever the position. */
  async page(offset: number, size: number, budget?: ReadBudget): Promise<OffsetPage<Item>> {
    const { records, total } = await this.#names.page(offset, size, "ascending", budget);
    return { records: records.map(({ id, name }) => ({ id, name: JSON.parse(name) })), total };
  }

  /** Deletes an item. One call; two with a precondition, and for an item without its record. */
  async remove(id: number, precondition?: Precondition<ItemText>): Promise<boolean> {
    if (precondition) {
      const text = await this.get(id);
      if (text === undefined) return false;
      precondition({ id, text });
    }
    const text = { TableName: this.table, Key: textKey(id) };
    if (await this.#names.remove(id, undefined, [{ Delete: text }])) return true;
    if (id < 1 || this.#names.onlyOwner !== undefined) return false;
    const deletion = { ...text, Key: toRawItem(text.Key), ReturnValues: "ALL_OLD" } as const;
    const { Attributes } = await this.client.send(new DeleteItemCommand(deletion));
    return Attributes !== undefined;
  }
}

export function textKey(id: number): { pk: string; sk: number } {
  return { pk: `text#${id}`, sk: id };
}
