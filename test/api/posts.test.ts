import { describe, expect, it, vi } from "vitest";
import type { Post } from "../../lib/validators/post.ts";
import { createPost, idsOf } from "../functions/posts/data.ts";
import { expectInvalid } from "../support/api/expect-invalid.ts";
import { locationOf } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";
import { uniqueWord } from "../support/data/values.ts";

describe("POST /posts", () => {
  it("creates a draft without tags and returns its location", async () => {
    const texts = { title: "Hello", content: "World" };
    const response = await api.post("/posts", { ...texts, status: null, tags: null });
    const { id, created_at } = response.body;

    expect(response.status).toBe(201);
    const times = { created_at, updated_at: created_at };
    const others = { author_id: 1, status: "draft", tags: [], view_count: 0 };
    expect(response.body).toEqual({ id, ...texts, ...others, ...times });
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(locationOf(response)).toBe(`/posts/${id}`);
  });

  it("stores status, tags and author, and ignores the fields that the service sets", async () => {
    const fields = { title: "x", content: "y", status: "archived", tags: ["a", "", "a"] };
    const sent = { ...fields, id: 1, view_count: 5, author_id: 3 };
    const { status, body } = await api.post("/posts?author_id=x&author_id=-7", sent);

    expect(status).toBe(201);
    expect(body).toMatchObject({ ...fields, author_id: -7, view_count: 0 });
  });

  it.each([
    ["a title of 200 emoji", { title: "🧀".repeat(200) }],
    ["a content of 100,000 emoji", { content: "🧀".repeat(100_000) }],
    ["20 tags of 50 emoji", { tags: Array.from({ length: 20 }, (_, i) => `${"🧀".repeat(48)}${10 + i}`) }],
    ["odd characters", { title: "\u0000‮é", content: "'; DROP TABLE posts; --", tags: ["__proto__", "a,b"] }],
  ])("stores %s", async (_, fields) => {
    const { id } = await createPost(fields);
    expect((await api.get(`/posts/${id}`)).body).toMatchObject(fields);
  });
});

it("GET /posts/{post_id} returns the post and counts every view, also many concurrent ones", async () => {
  const post = await createPost();
  expect((await api.get(`/posts/${post.id}/`)).body).toEqual({ ...post, view_count: 1 });
  const views = await Promise.all(Array.from({ length: 20 }, () => api.get(`/posts/${post.id}`)));
  const counts = views.map(({ body }) => body.view_count).sort((a, b) => a - b);
  expect(counts).toEqual(counts.map((_, i) => i + 2));
});

it("PUT /posts/{post_id} replaces the fields that clients set, and keeps the others", async () => {
  const post = await createPost({ status: "published", tags: ["a"] }, 7);
  await api.get(`/posts/${post.id}`);
  const { status, body } = await api.put(`/posts/${post.id}`, { title: "new", content: "newer" });

  const changed = { title: "new", content: "newer", status: "draft", tags: [] };
  expect([status, body]).toEqual([200, { ...post, ...changed, updated_at: body.updated_at, view_count: 1 }]);
  expect(body.updated_at >= post.updated_at).toBe(true);
  expect((await api.get(`/posts/${post.id}`)).body).toEqual({ ...body, view_count: 2 });
});

it.each([
  ["the title", { title: "new" }],
  ["the content", { content: "new" }],
  ["the status", { status: "draft" }],
  ["the tags", { tags: ["b"] }],
  ["the tags to none", { tags: [] }],
  ["everything", { title: "a", content: "b", status: "archived", tags: ["c"] }],
  ["nothing", {}],
  ["nothing if fields are null", { title: null, content: null, status: null, tags: null }],
])("PATCH /posts/{post_id} changes %s", async (_, json) => {
  const post = await createPost({ status: "published", tags: ["a"] });
  const changed = Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
  const { status, body } = await api.patch(`/posts/${post.id}`, json);

  expect([status, body]).toEqual([200, { ...post, ...changed, updated_at: body.updated_at }]);
  expect(body.updated_at >= post.updated_at).toBe(true);
  expect((await api.get(`/posts/${post.id}`)).body).toEqual({ ...body, view_count: 1 });
});

it.each([
  ["POST", "no field", {}, ["body.title missing", "body.content missing"]],
  ["POST", "empty strings", { title: "", content: "" }, ["body.title too_small", "body.content too_small"]],
  ["POST", "201 emoji", { title: "🧀".repeat(201), content: "x" }, ["body.title too_big"]],
  ["POST", "null", { title: null, content: null }, ["body.title invalid_type", "body.content invalid_type"]],
  ["POST", "21 tags", { title: "x", content: "y", tags: Array(21).fill("a") }, ["body.tags too_big"]],
  ["POST", "a lone surrogate", { title: "\ud800", content: "x" }, ["body.title invalid_format"]],
  ["PUT", "no content", { title: "x" }, ["body.content missing"]],
  ["PUT", "too much content", { title: "x", content: "x".repeat(100_001) }, ["body.content too_big"]],
  ["PATCH", "an empty title", { title: "" }, ["body.title too_small"]],
  ["PATCH", "an empty content", { content: "" }, ["body.content too_small"]],
  ["PATCH", "an unknown status", { status: "" }, ["body.status invalid_value"]],
])("%s of a post rejects %s without changes", async (method, _, json, expected) => {
  const post = await createPost();
  const path = method === "POST" ? "/posts" : `/posts/${post.id}`;
  expectInvalid(await api.request(method, path, json), expected);
  expect((await api.get(`/posts/${post.id}`)).body).toEqual({ ...post, view_count: 1 });
});

describe("GET /posts", () => {
  async function list(query: Record<string, string | number>): Promise<Post[]> {
    const { status, body } = await api.get("/posts", { query });
    expect(status).toBe(200);
    return body;
  }

  it("lists the newest ten, with all fields", async () => {
    const tag = uniqueWord();
    const posts: Post[] = [];
    for (let i = 0; i < 11; i += 1) posts.unshift(await createPost({ content: `Post ${i}`, tags: [tag] }));
    const newest = await list({ limit: 100 });
    const ids = idsOf(newest);

    expect(await list({ tag })).toEqual(posts.slice(0, 10));
    expect(newest).toContainEqual(posts[0]);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    // A page may count a post that another spec is creating before it exists. An empty filter does not apply.
    for (const query of [{}, { tag: "" }, { search: "" }] as Record<string, string>[])
      await vi.waitFor(async () => expect(await list(query)).toHaveLength(10), 100_000);
  });

  it("filters by status, tag and title, and sorts, with ties by id in the same direction, in pages", async () => {
    const tag = uniqueWord();
    const create = async (title: string, status: string, ...tags: string[]) =>
      (await createPost({ title: `${title} ${tag}`, status, tags: [tag, ...tags] })).id;
    const a = await create("Alpha", "draft");
    const b = await create("beta", "published", "x");
    const c = await create("ALPHABET", "published");
    const d = await create("100% (delta)", "archived");
    // The second has the most views; the third is changed last.
    for (const id of [b, b, c]) await api.get(`/posts/${id}`);
    await api.patch(`/posts/${c}`, {});
    const found = async (query: Record<string, string | number>) => idsOf(await list({ tag, ...query }));

    expect(await found({ search: "alpha", status: "draft" })).toEqual([a]);
    expect(await found({ search: "% (", order: "asc" })).toEqual([d]);
    expect(await found({ tag: tag.toUpperCase() })).toEqual([]);
    expect(await found({ sort_by: "view_count", order: "asc" })).toEqual([a, d, c, b]);
    expect((await found({ sort_by: "updated_at" }))[0]).toBe(c);
    expect(await found({ sort_by: "view_count", page: 2, limit: 1 })).toEqual([c]);
    expect(await found({ page: 2, limit: 3 })).toEqual([a]);
  });
});

it.each([
  ["/posts?status=Draft", ["query.status invalid_value"]],
  ["/posts?sort_by=title", ["query.sort_by invalid_value"]],
  ["/posts?order=DESC", ["query.order invalid_value"]],
  ["/posts?page=0", ["query.page too_small"]],
  ["/posts?limit=101", ["query.limit too_big"]],
  ["/posts/search?q=", ["query.q too_small"]],
  ["/posts/search?q=x&fields=tags", ["query.fields.0 invalid_value"]],
  ["/posts/search?fields=title,Title", ["query.q missing", "query.fields.1 invalid_value"]],
])("GET %s is rejected: %j", async (target, expected) => {
  expectInvalid(await api.get(target), expected);
});

it("GET /posts/search finds a text in title or content, newest first, each post once", async () => {
  const word = uniqueWord();
  const inTitle = await createPost({ title: `A ${word.toUpperCase()} B` });
  const inContent = await createPost({ content: `a ${word} b` });
  const inBoth = await createPost({ title: word, content: word });
  await createPost({ tags: [word] });
  const search = async (fields: object) =>
    (await api.get("/posts/search", { query: { q: word, ...fields } })).body;

  expect(await search({})).toEqual([inBoth, inContent, inTitle]);
  expect(await search({ fields: "title" })).toEqual([inBoth, inTitle]);
  expect(await search({ fields: "content" })).toEqual([inBoth, inContent]);
  expect(await search({ fields: ["content", "title", "title"] })).toEqual([inBoth, inContent, inTitle]);
  expect(await search({ fields: "title,content" })).toHaveLength(3);
});

it("GET /posts/search searches the text literally", async () => {
  const word = uniqueWord();
  await createPost({ title: word });

  for (const q of [`${word}.*`, `${word.slice(0, 3)}.${word.slice(4)}`, "(", "\\", "[a-", `%${word}%`]) {
    const { body } = await api.get("/posts/search", { query: { q } });
    expect(body.filter((post: Post) => post.title === word)).toEqual([]);
  }
});

it("GET /posts/stats/summary counts posts and views", async () => {
  const { id } = await createPost({ status: "archived" });
  await api.get(`/posts/${id}`);
  const { body } = await api.get("/posts/stats/summary");
  const counts: number[] = Object.values(body.by_status);

  expect(Object.keys(body)).toEqual(["total_posts", "by_status", "total_views", "average_views"]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(body.total_posts);
  expect(Math.min(...counts, body.by_status.archived, body.total_views)).toBeGreaterThan(0);
  expect(body.average_views).toBeCloseTo(body.total_views / body.total_posts);
});

it("the views of a post are part of its entity tag, but not of what If-Match compares", async () => {
  const { id } = await createPost();
  const get = (tag = "") => api.get(`/posts/${id}`, { headers: { "if-none-match": tag } });
  const tag = (await get()).headers.get("etag") ?? "";

  // No 304 hides a new count, and one for any tag counts as well.
  const second = await get(tag);
  expect(second).toMatchObject({ status: 200, body: { view_count: 2 } });
  expect(second.headers.get("etag")).not.toBe(tag);
  expect(await get("*")).toMatchObject({ status: 304, text: "" });
  expect((await get()).body.view_count).toBe(4);
  const changed = await api.patch(`/posts/${id}`, { title: "New" }, { headers: { "if-match": tag } });
  expect(changed).toMatchObject({ status: 200, body: { title: "New", view_count: 4 } });
});
