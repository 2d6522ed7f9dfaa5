import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import { preconditionFailed } from "../../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../../domain/idempotency.ts";
import type { Post } from "../../validators/post.ts";
import { fromRawItem } from "../dynamodb/attribute-values.ts";
import { cancellationCodes } from "../dynamodb/client.ts";
import {
  type Condition,
  conditionFailureItem,
  definedFields,
  type Precondition,
  unchanged,
} from "../dynamodb/expressions.ts";
import { IdAllocation } from "../records/id-allocation.ts";
import { recordKey } from "../records/id-blocks.ts";
import { Idempotency } from "../records/idempotency.ts";
import {
  areTagsInContent,
  CurrentSummary,
  type PostChanges,
  type PostFields,
  refuseOversize,
  toPost,
} from "./post-items.ts";
import { PostReader } from "./post-reader.ts";
import { PostWriter, unchangedAfter, unedited, writtenBy } from "./post-writer.ts";
import { ViewCounter } from "./view-counter.ts";

/** What the service adds to the request when it creates a post; stored in the idempotency entry. */
const CreatedPost = z.object({ id: z.int(), time: z.string() });

/** Creates, views, updates and removes single posts. `post-items.ts` describes what a post consists of. */
export class PostsRepository {
  readonly #now: () => Date;
  readonly #ids: IdAllocation;
  readonly #idempotency: Idempotency;
  readonly #reader: PostReader;
  readonly #writer: PostWriter;
  readonly #views: ViewCounter;

  /** @param now the clock of the posts' times */
  constructor(client: DynamoDBDocumentClient, table: string, now: () => Date) {
    this.#now = now;
    this.#ids = new IdAllocation(client, table);
    this.#idempotency = new Idempotency(client, table);
    this.#reader = new PostReader(client, table);
    this.#writer = new PostWriter(client, table);
    this.#views = new ViewCounter(client, table, this.#reader);
  }

  /**
   * Creates a post under the next id, with a time that is never before that of a smaller id. Two calls: the
   * counter, then both items in one transaction; one more call with an idempotency key.
   *
   * @throws ApiError `ValidationError` when the content is too large for an item, or the key was used for a
   *   different request; neither uses an id
   * @throws ApiError `ServiceUnavailable`
   */
  async create(
    author: number,
    fields: PostFields,
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<Post>> {
    refuseOversize(fields.content, areTagsInContent(fields) ? fields.tags : undefined);
    for (;;) {
      const earlier = idempotency && (await this.#idempotency.find(idempotency));
      const { id, time } = earlier
        ? CreatedPost.parse(earlier)
        : await this.#ids.allocateWithTimestamp(this.#now());
      const version = crypto.randomUUID();
      const times = { created_at: time, updated_at: time };
      const record = toPost({ id, author_id: author, ...fields, ...times, view_count: 0, version }, fields);
      if (earlier) return { record, replayed: true };

      const entry = idempotency && this.#idempotency.entry(idempotency, { id, time });
      try {
        await this.#writer.create(record, version, entry);
        return { record, replayed: false };
      } catch (error) {
        const [summary, , key] = cancellationCodes(error) ?? [];
        const isReplay = key === "ConditionalCheckFailed";
        // A late attempt of a failed creation has taken the id: allocate the next one.
        if (summary === "ConditionalCheckFailed" && !isReplay) continue;
        const exists = await this.#ids.releaseOrTombstone(id, recordKey(id));
        // The same request has created its post in the meantime.
        if (isReplay) continue;
        if (exists && (await this.#reader.summary(id))?.version === version)
          return { record, replayed: false };
        throw error;
      }
    }
  }

  /**
   * Reads a post and counts the view: two parallel calls. If the post was changed in between, one more.
   *
   * @param author when given, only a post of this author is found
   * @returns the post with this view, or undefined when it does not exist
   * @throws ApiError `ServiceUnavailable`; then the view is removed again, if DynamoDB can be reached
   */
  async view(id: number, author?: number): Promise<Post | undefined> {
    const viewId = crypto.randomUUID();
    const [counted, content] = await Promise.allSettled([
      this.#views.count(id, viewId, writtenBy(author)),
      this.#reader.content(id),
    ]);
    if (counted.status === "rejected") {
      // It may have been counted although its response was lost.
      await this.#views.undo(id, viewId);
      throw counted.reason;
    }
    const summary = counted.value;
    if (summary === undefined) return undefined;
    try {
      if (content.status === "rejected") throw content.reason;
      const post = await this.#reader.joinOne(summary, content.value);
      return post && { ...post, view_count: summary.view_count };
    } catch (error) {
      await this.#views.undo(id);
      throw error;
    }
  }

  /**
   * Changes fields of a post and its `updated_at`, which never goes backwards.
   *
   * Two calls: without new content an update and, in parallel, the read of the content; with new content a
   * transaction of both items, then the read of the summary; with a precondition the read of both items, then a
   * transaction that requires the summary to be unchanged except for its views. The first attempt assumes that the tags
   * stay; if they do not, its failed condition tells the stored ones, and a transaction changes their entries. Tags that
   * are stored with the content are read and written with it, as with a precondition.
   *
   * @returns the changed post, or undefined when it does not exist
   * @throws ApiError `ValidationError` when the content is too large for an item
   * @throws ApiError `PreconditionFailed` when the precondition throws it, or the post was changed in between
   * @throws ApiError `ServiceUnavailable`
   */
  async update(
    id: number,
    changes: PostChanges,
    precondition?: Precondition<Post>,
  ): Promise<Post | undefined> {
    if (changes.content !== undefined) refuseOversize(changes.content);
    if (precondition) return this.#rewrite(id, changes, precondition);
    const { content, tags } = changes;
    let time = this.#now().toISOString();
    let storedTags = tags;
    for (;;) {
      try {
        if (content === undefined && storedTags === tags)
          return await this.#updateSummary(id, changes, time, unchangedAfter(time, tags));
        const condition = unchangedAfter(time, storedTags ?? null);
        const version = crypto.randomUUID();
        await this.#writer.update(id, changes, { version, time, condition, storedTags });
        const [summary, stored] = await Promise.all([
          this.#reader.summary(id),
          content === undefined ? this.#reader.content(id) : { content, version },
        ]);
        return summary && (await this.#reader.joinOne(summary, stored));
      } catch (error) {
        const current = conditionFailureItem(error);
        if (current === undefined) throw error;
        const summary = CurrentSummary.safeParse(fromRawItem(current)).data;
        if (summary === undefined) return undefined;
        if (summary.tags === undefined) return this.#rewrite(id, changes);
        // Another process, whose clock is ahead, may have changed it.
        if (summary.updated_at > time) time = summary.updated_at;
        if (tags !== undefined) storedTags = summary.tags;
      }
    }
  }

  async #updateSummary(
    id: number,
    changes: PostChanges,
    time: string,
    condition: Condition,
  ): Promise<Post | undefined> {
    const [summary, content] = await Promise.all([
      this.#writer.updateSummary(id, changes, time, condition),
      this.#reader.content(id),
    ]);
    return this.#reader.joinOne(summary, content);
  }

  /** Reads a post and changes it, if it has not been edited since; without a precondition again until it works. */
  async #rewrite(
    id: number,
    changes: PostChanges,
    precondition?: Precondition<Post>,
  ): Promise<Post | undefined> {
    for (;;) {
      const current = await this.#reader.readConsistent(id);
      if (current === undefined) return undefined;
      const post = toPost(current.summary, current.content);
      precondition?.(post);
      const time = new Date(Math.max(this.#now().getTime(), Date.parse(post.updated_at))).toISOString();
      const changed = { ...post, ...definedFields(changes), updated_at: time };
      const { content, tags } = changed;
      const tagsInContent = current.summary.tags === undefined;
      const isContentChanged = changes.content !== undefined || changes.tags !== undefined;
      if (tagsInContent) refuseOversize(content, tags);
      try {
        await this.#writer.update(
          id,
          tagsInContent && isContentChanged ? { ...changes, content, tags } : changes,
          {
            version: crypto.randomUUID(),
            time,
            condition: unedited(current.summary),
            storedTags: post.tags,
            tagsInContent,
          },
        );
        return changed;
      } catch (error) {
        if (!conditionFailureItem(error)) throw error;
        if (precondition) throw preconditionFailed();
      }
    }
  }

  /**
   * Deletes a post and marks its id as deleted. Two calls: the summary is read before, because it has the tags; with a
   * precondition the content too.
   *
   * @param author when given, only a post of this author is deleted
   * @returns false when it does not exist
   * @throws ApiError `PreconditionFailed` when the precondition throws it, or the post was changed in between
   * @throws ApiError `ServiceUnavailable`
   */
  async remove(
    id: number,
    {
      author,
      precondition,
    }: {
      readonly author?: number | undefined;
      readonly precondition?: Precondition<Post> | undefined;
    } = {},
  ): Promise<boolean> {
    if (!precondition) return this.#remove(id, author);
    const current = await this.#reader.readConsistent(id);
    if (current === undefined) return false;
    if (author !== undefined && current.summary.author_id !== author) return false;
    const post = toPost(current.summary, current.content);
    precondition(post);
    if (!(await this.#writer.remove(id, post.tags, unedited(current.summary)))) throw preconditionFailed();
    return true;
  }

  async #remove(id: number, author: number | undefined): Promise<boolean> {
    for (;;) {
      const summary = await this.#reader.summary(id);
      if (summary === undefined || summary.author_id !== (author ?? summary.author_id)) return false;
      const { tags, version } = summary;
      const storedTags = tags ?? (await this.#reader.joinOne(summary, undefined))?.tags;
      const isUnchanged = unchanged(tags === undefined ? { tags, version } : { tags });
      // False if the tags have changed, or the post was deleted, in between.
      if (await this.#writer.remove(id, storedTags ?? [], isUnchanged)) return true;
    }
  }
}
