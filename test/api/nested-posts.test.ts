import { describe, expect, it } from "vitest";
import type { Post } from "../../lib/validators/post.ts";
import { createPost, idsOf } from "../functions/posts/data.ts";
import { expectInvalid } from "../support/api/expect-invalid.ts";
import { followLinks, locationOf } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";
import { UNKNOWN_ID, uniqueWord } from "../support/data/values.ts";

async function createUser(): Promise<number> {
  const { status, body } = await api.post("/users", { name: "Ada", email: "ada@example.com", age: 36 });
  expect(status).toBe(201);
  return body.id;
}

describe("POST /users/{id}/posts", () => {
  it("creates a post of that user and returns its location", async () => {
    const id = await createUser();
    const response = await api.post(
      `/users/${id}/posts`,
      { title: "x", content: "y", tags: ["a"] },
      { query: { author_id: id + 1 } },
    );

    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      author_id: id,
      title: "x",
      content: "y",
      status: "draft",
      tags: ["a"],
    });
    expect(locationOf(response)).toBe(`/users/${id}/posts/${response.body.id}`);
    expect((await api.get(`/posts/${response.body.id}`)).body).toEqual({ ...response.body, view_count: 1 });
  });

  it("validates a post like POST /posts", async () => {
    expectInvalid(await api.post(`/users/${await createUser()}/posts`, { title: "" }), [
      "body.title too_small",
      "body.content missing",
    ]);
  });
});

describe("GET /users/{id}/posts", () => {
  it("lists the author's posts, newest first, and counts no views", async () => {
    const [id, other] = [await createUser(), await createUser()];
    const first = await createPost({ content: "1" }, id);
    await createPost({}, other);
    const second = (await api.post(`/users/${id}/posts`, { title: "x", content: "2" })).body;

    // The index by author can be a moment behind a write.
    await expect.poll(async () => (await api.get(`/users/${id}/posts`)).body).toEqual([second, first]);
    await api.delete(`/posts/${first.id}`);
    expect((await api.get(`/users/${id}/posts`)).body).toEqual([second]);
  });

  it("lists a change immediately", async () => {
    const id = await createUser();
    const post = await createPost({}, id);
    await expect.poll(async () => (await api.get(`/users/${id}/posts`)).body).toHaveLength(1);
    const { body } = await api.patch(`/posts/${post.id}`, { title: "new", content: "newer" });

    expect((await api.get(`/users/${id}/posts/`)).body).toEqual([body]);
  });
});

describe("GET /users/{id}/posts/{post_id}", () => {
  it("returns the post and counts the view", async () => {
    const id = await createUser();
    const post = await createPost({}, id);
    expect(await api.get(`/users/${id}/posts/${post.id}`)).toMatchObject({ status: 200 });
    expect((await api.get(`/posts/${post.id}`)).body).toEqual({ ...post, view_count: 2 });
  });

  it("returns 404 for another author's post and counts no view", async () => {
    const [id, other] = [await createUser(), await createUser()];
    const post = await createPost({}, other);

    expect(await api.get(`/users/${id}/posts/${post.id}`)).toMatchObject({
      status: 404,
      body: { detail: `Post with id ${post.id} not found` },
    });
    expect((await api.get(`/posts/${post.id}`)).body.view_count).toBe(1);
  });

  it("returns 404 for an author without a user record and counts no view", async () => {
    const post = await createPost({}, UNKNOWN_ID);
    expect((await api.get(`/users/${UNKNOWN_ID}/posts/${post.id}`)).status).toBe(404);
    expect((await api.get(`/posts/${post.id}`)).body.view_count).toBe(1);
  });
});

it("DELETE /users/{id}/posts/{post_id} does not delete another author's post", async () => {
  const [id, other] = [await createUser(), await createUser()];
  const post = await createPost({}, other);
  expect((await api.delete(`/users/${id}/posts/${post.id}`)).status).toBe(404);
  expect((await api.get(`/posts/${post.id}`)).status).toBe(200);
});

it("the posts of a deleted user stay under /posts only", async () => {
  const id = await createUser();
  const post: Post = await createPost({}, id);
  await api.delete(`/users/${id}`);
  expect((await api.get(`/users/${id}/posts`)).status).toBe(404);
  expect(idsOf([(await api.get(`/posts/${post.id}`)).body])).toEqual([post.id]);
});

describe("the pages of posts", () => {
  const get = (target: string) => api.get(target);
  const pageThrough = (first: string) => followLinks(get, first, (posts: readonly Post[]) => posts);

  it("have cursors: those of a user and those found by a text, newest first", async () => {
    const id = await createUser();
    const word = uniqueWord();
    const created: unknown[] = [];
    for (let i = 0; i < 5; i += 1)
      created.unshift((await api.post(`/users/${id}/posts`, { title: word, content: "x" })).body);

    expect(await pageThrough(`/users/${id}/posts?limit=2`)).toEqual({ records: created, responses: 3 });
    expect(await pageThrough(`/posts/search?q=${word}&limit=2`)).toEqual({ records: created, responses: 3 });
  });

  it("have links through a filtered list", async () => {
    const tag = uniqueWord();
    const ids: number[] = [];
    for (let i = 0; i < 5; i += 1) ids.push((await createPost({ tags: [tag] })).id);

    const target = `/posts?tag=${tag}&limit=2&order=asc`;
    expect((await followLinks(get, target, idsOf)).records).toEqual(ids);
  });

  it("end before a response is too large", async () => {
    const id = await createUser();
    const content = "🧀".repeat(95_000);
    const ids: number[] = [];
    for (let i = 0; i < 18; i += 1)
      ids.unshift(
        (await api.post(`/users/${id}/posts`, { title: "Large", content, tags: [`t${id}`] })).body.id,
      );

    for (const first of [`/users/${id}/posts`, `/posts?tag=t${id}&limit=100`]) {
      const { records, responses } = await followLinks(get, first, idsOf);
      expect(records).toEqual(ids);
      expect(responses).toBe(2);
    }
  });
});
