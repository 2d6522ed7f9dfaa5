import * as z from "zod/mini";
import { type Post, PostStatus } from "../../validators/post.ts";
import type { RecordOf } from "../records/record-repository.ts";

/*
 * A post consists of two items: the summary, which is a record under `recordKey(id)`, and the content under a key of its
 * own. So filtering, sorting and counting never read contents, and counting a view never writes one.
 * A new content gives both items a new version: items with different versions were read before and after a change.
 * Each tag of a post has an entry, so that the posts of a tag are found without reading others.
 *
 * The schemas do not check the API's bounds again; new fields need a default.
 */

/** DynamoDB's limit. It refuses every call with a longer key. */
const MAX_PARTITION_KEY_BYTES = 2_048;

export const StoredSummary = z.object({
  author_id: z.int(),
  title: z.string(),
  status: PostStatus,
  tags: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  view_count: z.int(),
  /** The id of the last view. */
  viewId: z.string(),
  version: z.string(),
  /** Of the last change; views do not count. */
  revision: z.optional(z.string()),
});

export type PostSummary = RecordOf<typeof StoredSummary>;

/** A summary of which only some fields may have been read. */
export type PostRow = Partial<PostSummary> & Pick<PostSummary, "id">;

export const StoredContent = z.object({ content: z.string(), version: z.string() });

export type StoredContent = z.output<typeof StoredContent>;

/** A summary and its content, of the same version. */
export interface StoredPost {
  readonly summary: PostSummary;
  readonly content: string;
}

export type PostFields = Pick<Post, "title" | "content" | "status" | "tags">;

/** New values; undefined fields keep their current value. */
export type PostChanges = { readonly [K in keyof PostFields]?: PostFields[K] | undefined };

export function contentKey(id: number): { pk: string; sk: number } {
  return { pk: `content#${id}`, sk: id };
}

/**
 * The keys of a post's tag entries: one for each of its tags, written and deleted in the transactions that change the
 * tags. They have no other attributes.
 */
export function tagKeys(id: number, tags: readonly string[]): { pk: string; sk: number }[] {
  return [...new Set(tags)].map((tag) => ({ pk: tagPartition(tag), sk: id }));
}

/** The partition of the entries of a tag, in which the ids of its posts are the sort keys. */
export function tagPartition(tag: string): string {
  return `tag#${tag}`;
}

/** Whether the entries of a tag could have their partition: a key is longer than DynamoDB's limit otherwise. */
export function isStorableTag(tag: string): boolean {
  return Buffer.byteLength(tagPartition(tag)) <= MAX_PARTITION_KEY_BYTES;
}

/** The post as the API returns it. */
export function toPost({ summary, content }: StoredPost): Post {
  const { id, author_id, title, status, tags, created_at, updated_at, view_count } = summary;
  return { id, author_id, title, content, status, tags, created_at, updated_at, view_count };
}
