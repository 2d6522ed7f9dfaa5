import * as z from "zod/mini";
import type { RecordOf } from "../../records/record-reader.ts";
import { type Post, PostStatus } from "../../validators/post.ts";

/*
 * A post consists of a summary, the record under `recordKey(id)`, its content under a key of its own (docs/adr/0021),
 * and tag entries, written in one transaction. Different versions were read before and after a change of the content.
 */

const MAX_PARTITION_KEY_BYTES = 2_048;

export const PostSummary = z.object({
  author_id: z.int(),
  title: z.string(),
  status: PostStatus,
  tags: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  view_count: z.int(),
  viewId: z.string(),
  version: z.string(),
  /** Of the last change; views do not count. */
  revision: z.optional(z.string()),
  owner: z.optional(z.string()),
});
export type PostSummary = RecordOf<typeof PostSummary>;

export type PostRow = Partial<PostSummary> & Pick<PostSummary, "id">;

export const PostContent = z.object({ content: z.string(), version: z.string() });
export type PostContent = z.output<typeof PostContent>;

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

export function isStorableTag(tag: string): boolean {
  return Buffer.byteLength(tagPartition(tag)) <= MAX_PARTITION_KEY_BYTES;
}

export function toPost(post: PostSummary & PostContent): Post {
  const { id, author_id, title, content, status, tags, created_at, updated_at, view_count } = post;
  return { id, author_id, title, content, status, tags, created_at, updated_at, view_count };
}
