import { routes } from "../../../functions/posts/routes.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { contentKey, tagKeys } from "../../../lib/repositories/posts/post-items.ts";
import { type MeasuredRequest, measureArea } from "../../support/measure-area.ts";

const time = "2026-01-01T00:00:00.000Z";
const statuses = ["draft", "published", "archived"];
/** The author and a tag of the ten newest posts. */
const SOMEBODY = 9;
const NEWEST = "newest";
/** So short that a block of 1,000 fits into the 1 MB of a query's response. */
const content = "The quick brown fox jumps over the lazy dog. ".repeat(20);
const post = { title: "Title", content };
const longest = { ...post, content: "x".repeat(100_000) };
const LONGEST = "POST /posts, 100,000 characters";

/** A request about a post that another measured request has created. */
const about =
  (creation: string, body?: object): MeasuredRequest =>
  ({ id }) => ({ path: { post_id: id(creation) }, ...(body && { body }) });

export const measurements = measureArea(routes, {
  records: {
    // One in a thousand has a rare title.
    posts: (id, count) => {
      const version = `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`;
      const isNewest = id > count - 10;
      const tags = [isNewest ? NEWEST : `tag ${id % 1_000}`, id % 2 === 0 ? "even" : "odd"];
      const summary = {
        author_id: isNewest ? SOMEBODY : id % 100,
        title: `${id % 1_000 === 0 ? "Rare" : "Post"} ${id}`,
        status: statuses[id % 3],
        tags,
        created_at: time,
        updated_at: time,
        view_count: (id * 7_919) % 10_007,
        version,
        revision: "0mjx00000000AAAA",
        viewId: "",
      };
      return [
        { ...recordKey(id), ...summary },
        { ...contentKey(id), content, version },
        ...tagKeys(id, tags),
      ];
    },
  },
  requests: {
    "GET /posts, first page of 10": { query: { page: 1 } },
    "GET /posts, last page of 10": ({ count }) => ({ query: { page: count / 10 } }),
    "GET /posts, 10 of a status": { query: { status: "published" } },
    "GET /posts, sorted by views": { query: { sort_by: "view_count" } },
    "GET /posts, 10 of a tag": { query: { tag: NEWEST } },
    "GET /posts/search, titles": { query: { q: "nothing", fields: "title" } },
    "POST /posts, 900 characters with three tags": { body: { ...post, tags: ["news", "AWS", "serverless"] } },
    [LONGEST]: { body: longest },
    "GET /posts/{post_id}, 100,000 characters": about(LONGEST),
    "PUT /posts/{post_id}, another 900 characters": about("POST /posts", post),
    "PUT /posts/{post_id}, 100,000 characters": about("POST /posts", longest),
    "DELETE /posts/{post_id}, 100,000 characters": about(LONGEST),
    "PATCH /posts/{post_id}, the title, 100,000 characters": about(LONGEST, { title: "New" }),
    "GET /users/{id}/posts, 10 posts": { path: { id: SOMEBODY }, query: { limit: 10 } },
  },
  limits: {
    "GET /posts/{post_id}": [2, 1, 1.5],
    "GET /posts/{post_id}, 100,000 characters": [2, 1, 13.5],
    "GET /posts, 10 of a status": [5, 5, 20],
    // A read of all summaries, and of the page.
    "GET /posts, sorted by views": [23, 3, (count) => 22 + count / 18],
  },
  priced: { "GET /posts/{post_id}": 0, "POST /posts, 900 characters with three tags": 0 },
  keyGroups: { "tag#": 1 },
  growth: [
    "GET /posts",
    "GET /posts?page={last}",
    "GET /posts?status=archived",
    "GET /posts?status=archived&page=20",
    "GET /posts?search=rare",
    "GET /posts?tag=even",
    "GET /posts?tag=tag%207",
    "GET /posts?tag=even&status=archived",
    "GET /posts?sort_by=view_count&tag=tag%207",
    "GET /posts/search?q=rare&limit=10",
    "GET /posts/search?q=nothing",
    "GET /users/7/posts?limit=10",
    "GET /users/7/posts",
    "GET /posts?search=nothing",
    "GET /posts?sort_by=view_count",
    "GET /posts?sort_by=updated_at&order=asc&page=5",
    "GET /posts?sort_by=view_count&status=archived&search=rare",
    "GET /posts/stats/summary",
    "GET /posts/search?q=nothing&fields=title",
  ],
  growthShare: 0.2,
});
