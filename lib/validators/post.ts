import * as z from "zod/mini";
import { ListQuery } from "./cursor.ts";
import { integer } from "./integer.ts";
import { named, namedObject, withMetadata } from "./metadata.ts";
import { filter, integerParameter, listParameter, textParameter } from "./parameter.ts";
import { allNullishToUndefined } from "./preprocess.ts";
import { text } from "./text.ts";

export const PostStatus = named("PostStatus", z.enum(["draft", "published", "archived"]));

const title = text({ min: 1, max: 200 });
/** With four bytes per character, it fits into a DynamoDB item of 400 KB. */
export const MAX_CONTENT_LENGTH = 100_000;
const content = text({ min: 1, max: MAX_CONTENT_LENGTH });
/** Replacing all tags writes twice as many entries in one DynamoDB transaction of at most 100 items. */
export const MAX_TAGS = 20;
const tags = z.array(text({ max: 50 })).check(z.maxLength(MAX_TAGS));
/** UTC with milliseconds, so that text order is time order. */
const time = z.iso.datetime({ precision: 3 });

export const Post = namedObject("Post", {
  id: integer({ min: 1 }),
  author_id: z.int(),
  title,
  content,
  status: PostStatus,
  tags,
  created_at: time,
  updated_at: time,
  view_count: integer({ min: 0 }),
});
export type Post = z.output<typeof Post>;

/** Creates or replaces a post. Absent or null status and tags get their defaults. */
export const PostCreate = namedObject("PostCreate", {
  title,
  content,
  // The documentation describes the input, so the defaults belong before the transformation.
  status: z.pipe(
    withMetadata(z.nullish(PostStatus), { default: "draft" }),
    z.transform((status) => status ?? "draft"),
  ),
  tags: z.pipe(
    z.nullish(tags),
    z.transform((given) => given ?? []),
  ),
});

export const PostUpdate = namedObject(
  "PostUpdate",
  allNullishToUndefined({ title, content, status: PostStatus, tags }),
);

export const postId = integerParameter(integer({ min: 1 }), "The post's id");

export const PostsQuery = z.object({
  status: textParameter(z.optional(PostStatus), "Only posts with this status"),
  tag: filter(textParameter(z.optional(z.string()), "Only posts with this tag", "words")),
  search: textParameter(z.optional(z.string()), "Only posts whose title contains it, ignoring case", "words"),
  sort_by: textParameter(
    z._default(z.enum(["created_at", "updated_at", "view_count"]), "created_at"),
    "The field to sort by",
  ),
  order: textParameter(z._default(z.enum(["asc", "desc"]), "desc"), "The sort direction"),
  page: integerParameter(z.optional(integer({ min: 1 })), "The page number; 1 by default"),
  limit: integerParameter(z._default(integer({ min: 1, max: 100 }), 10), "The number of posts on a page"),
  cursor: ListQuery.shape.cursor,
});
export type PostsQuery = z.output<typeof PostsQuery>;

export const PostsSearch = z.object({
  q: textParameter(text({ min: 1 }), "The text to find, ignoring case"),
  fields: listParameter(
    z._default(z.array(z.enum(["title", "content"])), ["title", "content"]),
    "The fields to search; `title` and `content` by default",
  ),
});
export type PostsSearch = z.output<typeof PostsSearch>;

/** The body of `GET /posts/stats/summary`; `by_status` has only the statuses that occur. */
export const PostStatistics = namedObject("PostStatistics", {
  total_posts: integer({ min: 0 }),
  by_status: z.partialRecord(PostStatus, integer({ min: 1 })),
  total_views: integer({ min: 0 }),
  average_views: z.number().check(z.gte(0)),
});
export type PostStatistics = z.output<typeof PostStatistics>;
