import * as z from "zod/mini";
import { type Post, PostStatus } from "../../validators/post.ts";
import { assertItemSize, itemSize } from "../dynamodb/item-size.ts";
import type { StoredItem } from "../dynamodb/query.ts";
import type { BodyFields } from "../records/bodies.ts";
import { blockOf } from "../records/id-blocks.ts";

/*
 * A post consists of two items: the summary, stored like a record under `recordKey(id)`, and the content under
 * `contentKey(id)`. So filtering, sorting and counting never read contents, and counting a view never writes one.
 * A new content gives both items a new version: items with different versions were read before and after a change.
 * Each tag of a post has an entry, so that the posts of a tag are found without reading others.
 * The content of more than 1 KB is in a body (records/bodies.ts), so that new posts do not share its partition key.
 * The tags of a post whose summary would be larger than that are stored with the content, whose version they share.
 *
 * The schemas do not check the API's bounds again; new fields need a default.
 */

/** DynamoDB's limit. It refuses every call with a longer key. */
const MAX_PARTITION_KEY_BYTES = 2_048;

const StoredSummary = z.object({
  id: z.int(),
  author_id: z.int(),
  title: z.string(),
  status: PostStatus,
  /** Absent if they are stored with the content. */
  tags: z.optional(z.array(z.string())),
  created_at: z.string(),
  updated_at: z.string(),
  view_count: z.int(),
  version: z.string(),
});

/** A post without its content. */
export type PostSummary = z.output<typeof StoredSummary>;

/** The attributes of a summary that the statistics need. */
export const StatsRow = z.pick(StoredSummary, { status: true, view_count: true });

const StoredContent = z.object({
  id: z.int(),
  content: z.string(),
  tags: z.optional(z.array(z.string())),
  version: z.string(),
});

export type PostContent = z.output<typeof StoredContent>;

/** The fields that an author writes. */
export type PostFields = Pick<Post, "title" | "content" | "status" | "tags">;

/** New values; undefined fields keep their current value. */
export type PostChanges = { readonly [K in keyof PostFields]?: PostFields[K] | undefined };

/** The partition key of the contents of an id block. */
export function contentPartition(block: number): string {
  return `content#${block}`;
}

/** The key of a post's content. */
export function contentKey(id: number): { pk: string; sk: number } {
  return { pk: contentPartition(blockOf(id)), sk: id };
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

export function decodeSummary(item: StoredItem): PostSummary {
  return StoredSummary.parse({ ...item, id: item.sk });
}

/** The attributes of a summary that decide whether an update is still right. */
export const CurrentSummary = z.pick(StoredSummary, { updated_at: true, tags: true });

/** A summary of which only some attributes may have been read. */
export type PostRow = Partial<PostSummary> & Pick<PostSummary, "id">;

/** The attributes of a summary that can be read alone. */
export type RowAttribute = "title" | "status" | "created_at" | "updated_at" | "view_count";

/** Returns a function that decodes items with only these attributes and the sort key. */
export function rowDecoder(attributes: readonly RowAttribute[]): (item: StoredItem) => PostRow {
  // Of these alone: a schema with every attribute optional takes several times longer.
  const schema = z.pick(StoredSummary, Object.fromEntries(attributes.map((name) => [name, true])) as never);
  return (item) => ({ ...schema.parse(item), id: Number(item.sk) });
}

/** Whether all attributes have been read; a version is never projected. */
export function isSummary(row: PostRow): row is PostSummary {
  return row.version !== undefined;
}

export function decodeContent(item: StoredItem): PostContent {
  return StoredContent.parse({ ...item, id: item.sk });
}

/** The fields of a content that may be in its body. */
export const contentBody: BodyFields = { large: ["content", "tags"] };

/** Joins summary and content, which must have the same version. */
export function toPost(
  summary: PostSummary,
  { content, tags: otherTags = [] }: Pick<PostContent, "content" | "tags">,
): Post {
  const { id, author_id, title, status, tags = otherTags, created_at, updated_at, view_count } = summary;
  return { id, author_id, title, content, status, tags, created_at, updated_at, view_count };
}

/** What the other attributes of a new summary leave of 1 KB; enough for every title. */
const MAX_TITLE_AND_TAGS_BYTES = 830;

/** Whether the tags of a new post are stored with its content. */
export function areTagsInContent({ title, tags }: Pick<PostFields, "title" | "tags">): boolean {
  return itemSize({ title, tags }) > MAX_TITLE_AND_TAGS_BYTES;
}

/**
 * Refuses a content that does not fit into an item.
 *
 * @param tags if they are stored with it
 * @throws ApiError `ValidationError`
 */
export function refuseOversize(content: string, tags?: readonly string[]): void {
  const longestKey = { pk: `content#${"0".repeat(16)}`, sk: Number.MAX_SAFE_INTEGER };
  assertItemSize({ ...longestKey, content, tags, version: crypto.randomUUID() }, "body.content");
}
