import * as z from "zod";
import { integerParameter, listParameter, textParameter } from "./parameter.ts";
import { text } from "./text.ts";

export const PostStatus = z.enum(["draft", "published", "archived"]).meta({ id: "PostStatus" });

const title = text({ min: 1, max: 200 });
const content = text({ min: 1 });
/**
 * The specification sets no bounds. These keep the part of a post that every list reads small: 100 tags of at
 * most 50 code points are 20 KB at the very worst.
 */
const tags = z.array(text({ max: 50 })).max(100);
/** UTC with milliseconds, so that text order is the order of time. */
const time = z.iso.datetime({ precision: 3 });

/** Post (specification, "Post (blog)"). */
export const Post = z
  .object({
    id: z.int().min(1),
    author_id: z.int(),
    title,
    content,
    status: PostStatus,
    tags,
    created_at: time,
    updated_at: time,
    view_count: z.int().min(0),
  })
  .meta({ id: "Post" });
export type Post = z.output<typeof Post>;

/** Status and tags may be absent or null: draft, and none. */
export const PostCreate = z
  .object({
    title,
    content,
    status: PostStatus.nullish().meta({ default: "draft" }),
    tags: tags.nullish().meta({ default: [] }),
  })
  .meta({ id: "PostCreate" });
export type PostCreate = z.output<typeof PostCreate>;

/** A field that is absent or null keeps the post's current value. */
export const PostUpdate = z
  .object({
    title: title.nullish(),
    content: content.nullish(),
    status: PostStatus.nullish(),
    tags: tags.nullish(),
  })
  .meta({ id: "PostUpdate" });
export type PostUpdate = z.output<typeof PostUpdate>;

/** What `GET /posts` is asked (specification, "Blog posts"). */
export const PostsQuery = z.object({
  status: textParameter(PostStatus.optional()).describe("Keeps posts that have this status"),
  tag: textParameter(z.string().optional()).describe("Keeps posts that have this tag"),
  search: textParameter(z.string().optional()).describe("Keeps posts whose title contains it, in any case"),
  sort_by: textParameter(z.enum(["created_at", "updated_at", "view_count"]).default("created_at")).describe(
    "What the order goes by",
  ),
  order: textParameter(z.enum(["asc", "desc"]).default("desc")).describe("Ascending or descending"),
  page: integerParameter(z.int().min(1).default(1)).describe("The number of the page"),
  limit: integerParameter(z.int().min(1).max(100).default(10)).describe("How many posts a page has"),
});
export type PostsQuery = z.output<typeof PostsQuery>;

/** What `GET /posts/search` is asked. */
export const PostsSearch = z.object({
  q: textParameter(text({ min: 1 })).describe("What to look for, in any case"),
  fields: listParameter(z.array(z.enum(["title", "content"])).default(["title", "content"])).describe(
    "Where to look for it",
  ),
});
export type PostsSearch = z.output<typeof PostsSearch>;

/** What `GET /posts/stats/summary` answers; `by_status` has the statuses that occur. */
export const PostStatistics = z
  .object({
    total_posts: z.int().min(0),
    by_status: z.partialRecord(PostStatus, z.int().min(1)),
    total_views: z.int().min(0),
    average_views: z.number().min(0),
  })
  .meta({ id: "PostStatistics" });
export type PostStatistics = z.output<typeof PostStatistics>;
