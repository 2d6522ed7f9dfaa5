import * as z from "zod/mini";
import { type Post, PostStatus } from "../../validators/post.ts";
import type { RecordOf } from "../records/record-repository.ts";

/*
 * A post consists of two items: the summary, which is a record under `recordKey(id)`, and the content under
 * its own key. So filtering, sorting and counting never read contents, and counting a view never writes one.
 * A new content gives both items a new version: items with different versions were read before and after a
 * change. Each tag has an entry, written and deleted in the transactions that change the tags: it finds the
 * posts of a tag.
 *
 * The schemas do not check the API's bounds again; new fields need a default.
 */

/** DynamoDB refuses every call with a longer key. */
const MAX_PARTITION_KEY_BYTES = 2_048;

export const PostSummary = z.object({
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
export type PostSummary = RecordOf<typeof PostSummary>;

/** A summary of which only some fields may have been read. */
export type PostRow = Partial<PostSummary> & Pick<PostSummary, "id">;

export const PostContent = z.object({ content: z.string(), version: z.string() });
export type PostContent = z.output<typeof PostContent>;

/** What clients choose of a post. */
export type PostFields = Pick<Post, "title" | "content" | "status" | "tags">;

export function contentKey(id: number): { pk: string; sk: number } {
  return { pk: `content#${id}`, sk: id };
}

/** The keys of a post's tag entries, which have no other attributes. */
export function tagKeys(id: number, tags: readonly string[]): { pk: string; sk: number }[] {
  return [...new Set(tags)].map((tag) => ({ pk: tagPartition(tag), sk: id }));
}

export function tagPartition(tag: string): string {
  return `tag#${tag}`;
}

/** Whether a tag can have entries: otherwise their key would be too long. */
export function isStorableTag(tag: string): boolean {
  return Buffer.byteLength(tagPartition(tag)) <= MAX_PARTITION_KEY_BYTES;
}

/** The post as the API returns it, from a summary and the content of the same version. */
export function toPost(post: PostSummary & PostContent): Post {
  const { id, author_id, title, content, status, tags, created_at, updated_at, view_count } = post;
  return { id, author_id, title, content, status, tags, created_at, updated_at, view_count };
}
