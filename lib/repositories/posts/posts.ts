import { type DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Creation, IdempotencyContext } from "../../domain/idempotency.ts";
import type { Post } from "../../validators/post.ts";
import { cancellationCodes } from "../dynamodb/client.ts";
import type { Precondition } from "../dynamodb/expressions.ts";
import { IdAllocation } from "../records/id-allocation.ts";
import { recordKey } from "../records/id-blocks.ts";
import { Idempotency } from "../records/idempotency.ts";
import { PostEdits, putContent, type Removal, refuseOversize } from "./post-edits.ts";
import { PostItems, toPost } from "./post-items.ts";
import { PostViews } from "./post-views.ts";

/** What an author writes. */
export type PostFields = Pick<Post, "title" | "content" | "status" | "tags">;

/** New values for some of it; what is undefined stays as it is. */
export type PostChanges = { readonly [K in keyof PostFields]?: PostFields[K] | undefined };

/** What is remembered of a creation under a key. */
const Made = z.object({ id: z.int(), time: z.string() });

/** The posts, one at a time; `PostLists` reads many, `PostItems` says what a post consists of. */
export class PostsRepository {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => Date;
  readonly #ids: IdAllocation;
  readonly #idempotency: Idempotency;
  readonly #items: PostItems;
  readonly #views: PostViews;
  readonly #edits: PostEdits;

  /**
   * @param client from `documentClient`
   * @param table the table's name
   * @param now the time
   */
  constructor(client: DynamoDBDocumentClient, table: string, now: () => Date) {
    this.#client = client;
    this.#table = table;
    this.#now = now;
    this.#ids = new IdAllocation(client, table);
    this.#idempotency = new Idempotency(client, table);
    this.#items = new PostItems(client, table);
    this.#views = new PostViews(client, table, this.#items);
    this.#edits = new PostEdits(client, table, now, this.#items);
  }

  /**
   * Creates a post under the next id, at a time that is never before that of a smaller id. Two calls: the
   * counter, then both items in one transaction. A transaction is charged double; two puts would need a third
   * call in sequence, and leave contents behind that a later draw of the same id would have to clear away.
   *
   * @param idempotency under which key: one call before, to look it up, and the key in the transaction
   * @throws ApiError `ValidationError` when the content is larger than an item can be, or the key was used for
   *   another request; no id is used then
   * @throws ApiError `ServiceUnavailable`
   */
  async create(
    author: number,
    { content, ...fields }: PostFields,
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<Post>> {
    refuseOversize(content);
    for (;;) {
      const made = idempotency && (await this.#idempotency.find(idempotency));
      const { id, time } = made ? Made.parse(made) : await this.#ids.allocateWithTimestamp(this.#now());
      const version = crypto.randomUUID();
      const summary = {
        author_id: author,
        ...fields,
        created_at: time,
        updated_at: time,
        view_count: 0,
        version,
      };
      const post = toPost({ id, ...summary }, { content });
      if (made) return { record: post, replayed: true };
      try {
        await this.#client.send(
          new TransactWriteCommand({
            TransactItems: [
              {
                Put: {
                  TableName: this.#table,
                  Item: { ...recordKey(id), ...summary, viewer: "" },
                  ConditionExpression: "attribute_not_exists(pk)",
                },
              },
              putContent(this.#table, id, content, version),
              ...(idempotency ? [this.#idempotency.entry(idempotency, { id, time })] : []),
            ],
          }),
        );
        return { record: post, replayed: false };
      } catch (error) {
        const [put, , entry] = cancellationCodes(error) ?? [];
        const isKnown = entry === "ConditionalCheckFailed";
        // A straggler of a creation that was given up can have taken the id: the next one is drawn then.
        if (put === "ConditionalCheckFailed" && !isKnown) continue;
        const isTaken = await this.#ids.releaseOrTombstone(id, recordKey(id));
        // The same request has created its post in between.
        if (isKnown) continue;
        if (isTaken && (await this.#items.summary(id))?.version === version)
          return { record: post, replayed: false };
        throw error;
      }
    }
  }

  /**
   * Reads a post and counts the view.
   *
   * @param id the post's id
   * @param author when given, only a post of this author is found
   * @returns the post with this view, or undefined when there is none
   * @throws ApiError `ServiceUnavailable`; no view is counted then, as far as DynamoDB can be reached
   */
  view(id: number, author?: number): Promise<Post | undefined> {
    return this.#views.view(id, author);
  }

  /**
   * Changes some fields of a post.
   *
   * @see PostEdits.update
   */
  update(id: number, changes: PostChanges, precondition?: Precondition<Post>): Promise<Post | undefined> {
    return this.#edits.update(id, changes, precondition);
  }

  /**
   * Deletes a post.
   *
   * @see PostEdits.remove
   */
  remove(id: number, { author, precondition }: Removal = {}): Promise<boolean> {
    return this.#edits.remove(id, { author, precondition });
  }
}
