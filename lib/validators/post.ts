import * as z from "zod";
import { ListQuery } from "./cursor.ts";
import { nullishToUndefined } from "./nullish.ts";
import { integerParameter, listParameter, textParameter } from "./parameter.ts";
import { text } from "./text.ts";

export const PostStatus = z.enum(["draft", "published", "archived"]).meta({ id: "PostStatus" });

const title = text({ min: 1, max: 200 });
const content = text({ min: 1 });
/** The specification sets no bounds. These keep a post's summary, which every list reads, below 20 KB. */
/**
 * Replacing all tags writes twice as many entries, and up to four other items, in one DynamoDB transaction of at most
 * 100 items.
 */
export const MAX_TAGS = 45;
const tags = z.array(text({ max: 50 })).max(MAX_TAGS);
/** UTC with milliseconds, so that text order is time order. */
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

/** Creates or replaces a post. Absent or null status and tags get their defaults. */
export const PostCreate = z
  .object({
    title,
    content,
    // The documentation describes the input, so the defaults belong before the transformation.
    status: PostStatus.nullish()
      .meta({ default: "draft" })
      .transform((status) => status ?? "draft"),
    tags: tags
      .nullish()
      .meta({ default: [] })
      .transform((given) => given ?? []),
  })
  .meta({ id: "PostCreate" });

export const PostUpdate = z
  .object({
    title: nullishToUndefined(title),
    content: nullishToUndefined(content),
    status: nullishToUndefined(PostStatus),
    tags: nullishToUndefined(tags),
  })
  .meta({ id: "PostUpdate" });

/** The id of a post in a path (specification, "Limits"). */
export const postId = integerParameter(z.int().min(1)).describe("The post's id");

/** The query of `GET /posts` (specification, "Blog posts"). */
export const PostsQuery = z.object({
  status: textParameter(PostStatus.optional()).describe("Only posts with this status"),
  tag: textParameter(z.string().optional()).describe("Only posts with this tag"),
  search: textParameter(z.string().optional()).describe("Only posts whose title contains it, ignoring case"),
  sort_by: textParameter(z.enum(["created_at", "updated_at", "view_count"]).default("created_at")).describe(
    "The field to sort by",
  ),
  order: textParameter(z.enum(["asc", "desc"]).default("desc")).describe("The sort direction"),
  page: integerParameter(z.int().min(1).optional()).describe("The page number; 1 by default"),
  limit: integerParameter(z.int().min(1).max(100).default(10)).describe("The number of posts on a page"),
  cursor: ListQuery.shape.cursor,
});
export type PostsQuery = z.output<typeof PostsQuery>;

/** The query of `GET /posts/search`. */
export const PostsSearch = z.object({
  q: textParameter(text({ min: 1 })).describe("The text to find, ignoring case"),
  fields: listParameter(z.array(z.enum(["title", "content"])).default(["title", "content"])).describe(
    "The fields to search",
  ),
});
export type PostsSearch = z.output<typeof PostsSearch>;

/** The body of `GET /posts/stats/summary`; `by_status` has only the statuses that occur. */
export const PostStatistics = z
  .object({
    total_posts: z.int().min(0),
    by_status: z.partialRecord(PostStatus, z.int().min(1)),
    total_views: z.int().min(0),
    average_views: z.number().min(0),
  })
  .meta({ id: "PostStatistics" });
export type PostStatistics = z.output<typeof PostStatistics>;
