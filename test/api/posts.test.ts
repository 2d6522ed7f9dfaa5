import { describe, expect, it, vi } from "vitest";
import type { Post } from "../../lib/validators/post.ts";
import { createPost, idsOf } from "../functions/posts/data.ts";
import { expectInvalid } from "../support/api/expect-invalid.ts";
import { locationOf } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";
import { uniqueWord } from "../support/data/values.ts";

describe("POST /posts", () => {
  it("creates a draft without tags and returns its location", async () => {
    const response = await api.post("/posts", { title: "Hello", content: "World", status: null, tags: null });
    const { id, created_at } = response.body;

    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id,
      author_id: 1,
      title: "Hello",
      content: "World",
      status: "draft",
      tags: [],
      created_at,
      updated_at: created_at,
      view_count: 0,
    });
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(locationOf(response)).toBe(`/posts/${id}`);
  });

  it("stores status, tags and author, and ignores the fields that the service sets", async () => {
    const { status, body } = await api.post("/posts?author_id=x&author_id=-7", {
      title: "x",
      content: "y",
      status: "archived",
      tags: ["a", "", "a"],
      id: 1,
      view_count: 5,
      author_id: 3,
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({ author_id: -7, status: "archived", tags: ["a", "", "a"], view_count: 0 });
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

  it.each([
    ["no field", {}, ["body.title missing", "body.content missing"]],
    ["empty strings", { title: "", content: "" }, ["body.title too_small", "body.content too_small"]],
    ["201 emoji", { title: "🧀".repeat(201), content: "x" }, ["body.title too_big"]],
    ["null", { title: null, content: null }, ["body.title invalid_type", "body.content invalid_type"]],
    ["21 tags", { title: "x", content: "y", tags: Array(21).fill("a") }, ["body.tags too_big"]],
    ["a lone surrogate", { title: "\ud800", content: "x" }, ["body.title invalid_format"]],
  ])("rejects %s", async (_, json, expected) => {
    expectInvalid(await api.post("/posts", json), expected);
  });
});

it("GET /posts/{post_id} returns the post and counts the view", async () => {
  const post = await createPost();
  expect(await api.get(`/posts/${post.id}`)).toMatchObject({
    status: 200,
    body: { ...post, view_count: 1 },
  });
  expect((await api.get(`/posts/${post.id}/`)).body).toEqual({ ...post, view_count: 2 });
});

it("GET /posts/{post_id} counts every one of many concurrent views", async () => {
  const { id } = await createPost();
  const views = await Promise.all(Array.from({ length: 20 }, () => api.get(`/posts/${id}`)));
  const counts = views.map(({ body }) => body.view_count).sort((a, b) => a - b);
  expect(counts).toEqual(counts.map((_, i) => i + 1));
});

it("PUT /posts/{post_id} replaces the fields that clients set, and keeps the others", async () => {
  const post = await createPost({ status: "published", tags: ["a"] }, 7);
  await api.get(`/posts/${post.id}`);
  const { status, body } = await api.put(`/posts/${post.id}`, { title: "new", content: "newer" });

  expect(status).toBe(200);
  expect(body).toEqual({
    ...post,
    title: "new",
    content: "newer",
    status: "draft",
    tags: [],
    updated_at: body.updated_at,
    view_count: 1,
  });
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
  ["PUT", "no content", { title: "x" }, ["body.content missing"]],
  ["PUT", "too much content", { title: "x", content: "x".repeat(100_001) }, ["body.content too_big"]],
  ["PATCH", "an empty title", { title: "" }, ["body.title too_small"]],
  ["PATCH", "an empty content", { content: "" }, ["body.content too_small"]],
  ["PATCH", "an unknown status", { status: "" }, ["body.status invalid_value"]],
])("a change of a post by %s rejects %s without changes", async (method, _, json, expected) => {
  const post = await createPost();
  expectInvalid(await api.request(method, `/posts/${post.id}`, json), expected);
  expect((await api.get(`/posts/${post.id}`)).body).toEqual({ ...post, view_count: 1 });
});

describe("GET /posts", () => {
  /** Four posts with a unique tag, oldest first. The third was changed last; the second has the most views. */
  async function createFour() {
    const tag = uniqueWord();
    const posts: Post[] = [];
    for (const fields of [
      { title: `Alpha ${tag}`, status: "draft" },
      { title: `beta ${tag}`, status: "published", tags: [tag, "x"] },
      { title: `ALPHABET ${tag}`, status: "published" },
      { title: `100% (delta) ${tag}`, status: "archived" },
    ]) {
      posts.push(await createPost({ tags: [tag], ...fields }));
    }
    const [a = 0, b = 0, c = 0, d = 0] = idsOf(posts);
    for (const id of [b, b, c]) await api.get(`/posts/${id}`);
    await api.patch(`/posts/${c}`, {});
    return { tag, a, b, c, d };
  }

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
    // A page may count a post that another spec is creating before it exists.
    await vi.waitFor(async () => expect(await list({})).toHaveLength(10), 100_000);
  });

  it("filters by status, tag and title, and sorts, with ties by id in the same direction, in pages", async () => {
    const { tag, a, b, c, d } = await createFour();
    const found = async (query: Record<string, string | number>) => idsOf(await list({ tag, ...query }));

    expect(await found({ search: "alpha", status: "draft" })).toEqual([a]);
    expect(await found({ search: "% (", order: "asc" })).toEqual([d]);
    expect(await found({ tag: tag.toUpperCase() })).toEqual([]);
    expect(await found({ sort_by: "view_count", order: "asc" })).toEqual([a, d, c, b]);
    expect((await found({ sort_by: "updated_at" }))[0]).toBe(c);
    expect(await found({ sort_by: "view_count", page: 2, limit: 1 })).toEqual([c]);
    expect(await found({ page: 2, limit: 3 })).toEqual([a]);
  });

  it.each([
    ["status", "Draft", "invalid_value"],
    ["sort_by", "title", "invalid_value"],
    ["order", "DESC", "invalid_value"],
    ["page", "0", "too_small"],
    ["limit", "101", "too_big"],
  ])("rejects %s=%s", async (name, value, type) => {
    expectInvalid(await api.get("/posts", { query: { [name]: value } }), [`query.${name} ${type}`]);
  });
});

it.each(["tag", "search"])("an empty filter by %s does not apply", async (filter) => {
  await createPost();
  expect((await api.get(`/posts?${filter}=`)).body).not.toEqual([]);
});

describe("GET /posts/search", () => {
  it("finds a text in title or content, newest first, each post once", async () => {
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

  it("searches the text literally", async () => {
    const word = uniqueWord();
    await createPost({ title: word });

    for (const q of [`${word}.*`, `${word.slice(0, 3)}.${word.slice(4)}`, "(", "\\", "[a-", `%${word}%`]) {
      const { status, body } = await api.get("/posts/search", { query: { q } });
      expect(status).toBe(200);
      expect(body.filter((post: Post) => post.title === word)).toEqual([]);
    }
  });

  it.each([
    ["an empty query", "?q=", ["query.q too_small"]],
    ["an unknown field", "?q=x&fields=tags", ["query.fields.0 invalid_value"]],
    ["two errors", "?fields=title,Title", ["query.q missing", "query.fields.1 invalid_value"]],
  ])("rejects %s", async (_, query, expected) => {
    expectInvalid(await api.get(`/posts/search${query}`), expected);
  });
});

it("GET /posts/stats/summary counts posts and views", async () => {
  const { id } = await createPost({ status: "archived" });
  await api.get(`/posts/${id}`);
  const { status, body } = await api.get("/posts/stats/summary");
  const counts: number[] = Object.values(body.by_status);

  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["total_posts", "by_status", "total_views", "average_views"]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(body.total_posts);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(body.by_status.archived).toBeGreaterThan(0);
  expect(body.total_views).toBeGreaterThan(0);
  expect(body.average_views).toBeCloseTo(body.total_views / body.total_posts);
});

describe("the views of a post", () => {
  it("are part of its entity tag, so that a 304 never hides a new count", async () => {
    const { id } = await createPost();
    const first = await api.get(`/posts/${id}`);
    const second = await api.get(`/posts/${id}`, {
      headers: { "if-none-match": first.headers.get("etag") ?? "" },
    });

    expect(second).toMatchObject({ status: 200, body: { view_count: 2 } });
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
  });

  it("are counted even if the response is a 304", async () => {
    const { id } = await createPost();

    const response = await api.get(`/posts/${id}`, { headers: { "if-none-match": "*" } });
    expect(response).toMatchObject({ status: 304, text: "" });
    expect((await api.get(`/posts/${id}`)).body.view_count).toBe(2);
  });

  it("do not change what If-Match compares", async () => {
    const { id } = await createPost();
    const tag = (await api.get(`/posts/${id}`)).headers.get("etag") ?? "";
    await api.get(`/posts/${id}`);

    const changed = await api.patch(`/posts/${id}`, { title: "New" }, { headers: { "if-match": tag } });
    expect(changed).toMatchObject({ status: 200, body: { title: "New", view_count: 2 } });
  });
});
