import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DamagedRecord, preconditionFailed } from "../../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../../domain/idempotency.ts";
import type { Owner } from "../../domain/ownership.ts";
import { admissionOf } from "../../dynamodb/admission.ts";
import { isErrorNamed } from "../../dynamodb/client.ts";
import {
  allOf,
  type Condition,
  definedFields,
  itemExists,
  type Precondition,
  unchanged,
  updateOf,
} from "../../dynamodb/expressions.ts";
import type { StoredItem } from "../../dynamodb/query.ts";
import { TableAccess } from "../../dynamodb/table-access.ts";
import { type TransactionItem, transact, type UpdateResult, updateItem } from "../../dynamodb/writes.ts";
import { ownerEntry } from "../../records/owners.ts";
import type { Changes } from "../../records/record-repository.ts";
import { newRevision, timeOfChange } from "../../records/revision.ts";
import type { Post } from "../../validators/post.ts";
import { contentKey, type PostFields, PostSummary, tagKeys, toPost } from "./post-items.ts";
import { PostReader } from "./post-reader.ts";

interface RemoveOptions {
  readonly author?: number | undefined;
  readonly precondition?: Precondition<Post> | undefined;
  readonly signal?: AbortSignal;
}

/** Creates, views, updates and removes single posts. `post-items.ts` describes what a post consists of. */
export class PostsRepository extends TableAccess {
  readonly #now: () => Date;
  readonly #reader: PostReader;

  constructor(client: DynamoDBClient, table: string, now: () => Date, owner?: Owner) {
    super(client, table);
    this.#now = now;
    this.#reader = new PostReader(client, table, owner, now);
  }

  /**
   * Creates a post, with a time not before that of a smaller id. Two calls; three with an idempotency key.
   * @param signal aborts when the time of the request is over, while a large content waits to be written
   */
  async create(
    author: number,
    { title, content, status, tags }: PostFields,
    idempotency: IdempotencyContext | undefined,
    signal?: AbortSignal,
  ): Promise<Creation<Post>> {
    await this.#admit(content, signal);
    const version = crypto.randomUUID();
    const fieldsOf = (time: string) => ({
      author_id: author,
      title,
      status,
      tags,
      created_at: time,
      updated_at: time,
      view_count: 0,
      viewId: "",
      version,
      revision: newRevision(Date.parse(time)),
    });
    const others = (id: number) => ({
      content: { Put: { TableName: this.table, Item: { ...contentKey(id), content, version } } },
      tags: this.#tagChanges(id, [], tags),
    });
    const { record: summary, replayed } = await this.#reader.create(fieldsOf, idempotency, {
      others,
    });
    return { record: toPost({ ...summary, content }), replayed };
  }

  /**
   * Reads a post, of the author if one is given, and counts the view: two parallel calls, and one more if it was
   * changed in between. Repeated attempts have the same `viewId`: one counts twice only if another view came in
   * between. A transaction would cost twice as much.
   * @throws ApiError `ServiceUnavailable`; then the view is removed again, if no other was counted since
   */
  async view(id: number, author?: number): Promise<Post | undefined> {
    const viewId = crypto.randomUUID();
    const readContent = await this.#reader.admitContent(id);
    if (readContent === undefined) return undefined;
    const [counted, content] = await Promise.allSettled([
      this.#countView(id, viewId, this.#isBy(author)),
      readContent(),
    ]);
    if (counted.status === "rejected") {
      // It may have been counted although its response was lost.
      await this.#undoView(id, viewId);
      throw counted.reason;
    }
    const summary = counted.value;
    if (summary === undefined) return undefined;
    try {
      if (content.status === "rejected") throw content.reason;
      const post = await this.#reader.join(summary, content.value);
      return post && { ...toPost(post), view_count: summary.view_count };
    } catch (error) {
      await this.#undoView(id, viewId);
      throw error;
    }
  }

  /** The condition that a post exists, of the author and the owner if they are given. */
  #isBy(author: number | undefined): Condition {
    const { onlyOwner: owner } = this.#reader;
    const attributes = definedFields({ author_id: author, owner });
    return Object.keys(attributes).length > 0 ? unchanged(attributes) : itemExists;
  }

  async #countView(id: number, viewId: string, condition: Condition): Promise<PostSummary | undefined> {
    try {
      const { isDone, item } = await this.#addView(id, 1, viewId, condition);
      return isDone || item.viewId === viewId ? this.#reader.decode(item) : undefined;
    } catch (error) {
      // No other value of the update can be invalid.
      if (isErrorNamed(error, "ValidationException")) throw new DamagedRecord(id, "view_count");
      throw error;
    }
  }

  /** Removes a view if it was the last one. The caller reports the error of the read, not of this. */
  async #undoView(id: number, viewId: string): Promise<void> {
    await Promise.allSettled([this.#addView(id, -1, crypto.randomUUID(), unchanged({ viewId }))]);
  }

  /** A repeated attempt is refused, since the summary has its `viewId` already. */
  #addView(id: number, change: number, viewId: string, condition: Condition): Promise<UpdateResult> {
    const isNew = {
      ConditionExpression: "viewId <> :viewId",
      ExpressionAttributeValues: { ":viewId": viewId, ":change": change },
    };
    return updateItem(this.client, {
      ...this.#reader.keyOf(id),
      UpdateExpression: "SET viewId = :viewId ADD view_count :change",
      ...allOf(condition, isNew),
    });
  }

  /**
   * Changes fields of a post and its `updated_at`. Two calls; two more for each concurrent change if content or tags
   * change. @throws ApiError `PreconditionFailed`, also if the post was changed between precondition and write
   */
  async update(
    id: number,
    changes: Changes<PostFields>,
    precondition?: Precondition<Post>,
    signal?: AbortSignal,
  ): Promise<Post | undefined> {
    const { content, ...others } = changes;
    if (precondition === undefined && content === undefined && others.tags === undefined)
      return this.#updateSummary(id, others);
    for (;;) {
      const current = await this.#reader.post(id, precondition ? undefined : content);
      if (current === undefined) return undefined;
      precondition?.(toPost(current));
      await this.#admit(content, signal);
      const time = timeOfChange(current.updated_at, this.#now());
      const changed = {
        ...definedFields(others),
        updated_at: time,
        revision: newRevision(Date.parse(time), current.revision),
        ...(content !== undefined && { version: crypto.randomUUID() }),
      };
      if (await this.#replace(current, changed, content))
        return toPost({ ...current, ...changed, ...definedFields({ content }) });
      if (precondition) throw preconditionFailed();
    }
  }

  async #updateSummary(id: number, changes: Changes<Omit<PostFields, "content">>): Promise<Post | undefined> {
    const changesAt = (time: string) => ({ ...changes, updated_at: time });
    const readContent = await this.#reader.admitContent(id);
    if (readContent === undefined) return undefined;
    // If the read fails, the response still waits for the write.
    const [written, read] = await Promise.allSettled([this.#reader.overwrite(id, changesAt), readContent()]);
    if (written.status === "rejected") throw written.reason;
    if (read.status === "rejected") throw read.reason;
    const post = written.value && (await this.#reader.join(written.value, read.value));
    return post && toPost(post);
  }

  /** @returns false if the post was changed since its summary was read, except for its views */
  async #replace(summary: PostSummary, changes: Partial<PostSummary>, content?: string): Promise<boolean> {
    const { id, tags } = summary;
    const update = { content, version: changes.version };
    const refused = await transact(this.client, {
      summary: { Update: { ...this.#reader.keyOf(id), ...updateOf(changes, sameVersion(summary)) } },
      content:
        content === undefined
          ? undefined
          : { Update: { TableName: this.table, Key: contentKey(id), ...updateOf(update) } },
      tags: this.#tagChanges(id, tags, changes.tags ?? tags),
    });
    return refused.size === 0;
  }

  /** Deletes a post, damaged or not, and marks its id as deleted. Two calls. @throws ApiError as `update` */
  async remove(id: number, options: RemoveOptions = {}): Promise<boolean> {
    for (;;) {
      const found = await this.#findRemovable(id, options);
      if (found === undefined) return false;
      await this.#admit("", options.signal);
      const refused = await transact(this.client, {
        summary: { Delete: { ...this.#reader.keyOf(id), ...found.condition } },
        content: { Delete: { TableName: this.table, Key: contentKey(id) } },
        id: this.#reader.ids.tombstone(id),
        tags: this.#tagChanges(id, found.tags, []),
        entry: found.entry,
      });
      if (refused.size === 0) return true;
      if (options.precondition) throw preconditionFailed();
    }
  }

  /** Of a damaged post, only the tags that can be read are found. */
  async #findRemovable(id: number, { author, precondition }: RemoveOptions) {
    const current = precondition && (await this.#reader.post(id));
    const stored: StoredItem | undefined = precondition ? current : await this.#reader.read(id);
    if (stored === undefined || (author !== undefined && stored.author_id !== author)) return undefined;
    if (current) precondition?.(toPost(current));
    const { data: tags = [] } = PostSummary.shape.tags.safeParse(stored.tags);
    const entry = ownerEntry(this.table, { sk: id, owner: stored.owner }, "Delete");
    return { tags, condition: sameVersion(stored), entry };
  }

  /** Writes of contents share the table's units (docs/adr/0028): two for each KB. @throws ApiError `TooManyRequests` */
  async #admit(content = "", signal?: AbortSignal): Promise<void> {
    const units = 2 * Math.ceil(Buffer.byteLength(content) / 1_024);
    await admissionOf(this.client, this.table, "writes")?.obtain(units, signal);
  }

  #tagChanges(id: number, from: readonly string[], to: readonly string[]): TransactionItem[] {
    const TableName = this.table;
    const removed = from.filter((tag) => !to.includes(tag));
    const added = to.filter((tag) => !from.includes(tag));
    return [
      ...tagKeys(id, removed).map((Key) => ({ Delete: { TableName, Key } })),
      ...tagKeys(id, added).map((Item) => ({ Put: { TableName, Item } })),
    ];
  }
}

/** The post was not edited or given since it was read; views do not count. */
function sameVersion({ revision, owner }: StoredItem): Condition {
  return allOf(itemExists, unchanged({ revision, owner }));
}
