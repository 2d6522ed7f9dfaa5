import { defineArea, fullRead, list, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";

const time = "2026-05-04T09:30:00.000Z";
const text = { title: "Hello", content: "First words", status: "published", tags: ["news"] };

export const area = defineArea(routes, {
  position: 6,
  tags: { posts: "Blog posts with drafts, tags, view counts and search" },
  accessNote:
    "The author of a post is the `author_id` in its query, 1 by default, and not the account that is signed in.",
  tables: {
    posts: {
      hasIds: true,
      indexes: { "by-author": { partitionKey: ["author_id", "N"], keysOnly: true } },
      personal: { userField: "author_id" },
    },
  },
  uses: {
    posts: [...recordActions, "dynamodb:BatchGetItem"],
    "posts/index/by-author": ["dynamodb:Query"],
    users: ["dynamodb:GetItem"],
  },
  repairUses: { posts: [...recordActions, "dynamodb:BatchGetItem"] },
  // A search decodes every post: seconds of CPU, during which it occupies an execution environment.
  size: { memoryMegabytes: 1_769, timeoutSeconds: 29, concurrencyShare: 0.3 },
  limits: {
    "GET /posts": list,
    "GET /users/{id}/posts": list,
    "GET /posts/search": fullRead,
    "GET /posts/stats/summary": fullRead,
    // With 100,000 letters of one byte.
    "POST /posts": { write: 200 },
    "POST /users/{id}/posts": { write: 200 },
    "PUT /posts/{post_id}": { write: 200 },
    "PATCH /posts/{post_id}": { write: 200 },
    "DELETE /posts/{post_id}": { write: 210 },
    "DELETE /users/{id}/posts/{post_id}": { write: 210 },
    "GET /posts/{post_id}": { read: 13 },
    "GET /users/{id}/posts/{post_id}": { read: 13 },
  },
  fields: {
    author_id: "The id of the author",
    average_views: "Views per post; 0 without posts",
    by_status: "The number of posts of each status that occurs",
    content: "The text",
    status: "Any status can follow any other",
    tags: "Words to find it by",
    title: "What it is about",
    total_posts: "The number of posts",
    total_views: "The total number of views of all posts",
    view_count: "How often it was read by id",
    "PostCreate.tags": "Words to find it by; none by default",
  },
  examples: {
    Post: { id: 1, author_id: 1, ...text, created_at: time, updated_at: time, view_count: 0 },
    PostCreate: text,
    PostStatistics: {
      total_posts: 2,
      by_status: { draft: 1, published: 1 },
      total_views: 5,
      average_views: 2.5,
    },
    PostUpdate: { status: "archived" },
  },
  requests: {
    "POST /posts": ({ unique }) => ({ body: { ...text, title: `${text.title}${unique}` } }),
    "GET /posts": { query: { status: "published", sort_by: "view_count" } },
    "PUT /posts/{post_id}": { body: text },
    "PATCH /posts/{post_id}": { body: { status: "archived" } },
    "GET /posts/stats/summary": {},
    "GET /posts/search": { query: { q: "words" } },
    "POST /users/{id}/posts": ({ unique }) => ({ body: { ...text, title: `${text.title}${unique}` } }),
  },
});
