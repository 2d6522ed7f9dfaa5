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

it("POST /users/{id}/posts creates a post of that user and returns its location", async () => {
  const id = await createUser();
  const post = { title: "x", content: "y", tags: ["a"] };
  const response = await api.post(`/users/${id}/posts?author_id=${id + 1}`, post);

  expect(response).toMatchObject({ status: 201, body: { author_id: id, ...post, status: "draft" } });
  expect(locationOf(response)).toBe(`/users/${id}/posts/${response.body.id}`);
  expect((await api.get(`/posts/${response.body.id}`)).body).toEqual({ ...response.body, view_count: 1 });
});

it("POST /users/{id}/posts validates a post like POST /posts", async () => {
  const response = await api.post(`/users/${await createUser()}/posts`, { title: "" });
  expectInvalid(response, ["body.title too_small", "body.content missing"]);
});

it("GET /users/{id}/posts lists the author's posts, newest first, and counts no views", async () => {
  const [id, other] = [await createUser(), await createUser()];
  const first = await createPost({ content: "1" }, id);
  await createPost({}, other);
  const second = (await api.post(`/users/${id}/posts`, { title: "x", content: "2" })).body;

  // The index by author can be a moment behind a creation, not behind a change or a deletion.
  await expect.poll(async () => (await api.get(`/users/${id}/posts`)).body).toEqual([second, first]);
  const { body } = await api.patch(`/posts/${second.id}`, { title: "new", content: "newer" });
  expect((await api.get(`/users/${id}/posts/`)).body).toEqual([body, first]);
  await api.delete(`/posts/${first.id}`);
  expect((await api.get(`/users/${id}/posts`)).body).toEqual([body]);
});

describe("GET /users/{id}/posts/{post_id}", () => {
  it("returns the post and counts the view", async () => {
    const id = await createUser();
    const post = await createPost({}, id);
    expect(await api.get(`/users/${id}/posts/${post.id}`)).toMatchObject({ status: 200 });
    expect((await api.get(`/posts/${post.id}`)).body).toEqual({ ...post, view_count: 2 });
  });

  it("returns 404 for another author's post, which it neither counts as a view nor deletes", async () => {
    const [id, other] = [await createUser(), await createUser()];
    const post = await createPost({}, other);
    const path = `/users/${id}/posts/${post.id}`;
    const body = { detail: `Post with id ${post.id} not found` };

    expect(await api.get(path)).toMatchObject({ status: 404, body });
    expect(await api.delete(path)).toMatchObject({ status: 404, body });
    expect((await api.get(`/posts/${post.id}`)).body).toEqual({ ...post, view_count: 1 });
  });

  it.each(["no", "a deleted"])("returns 404 for %s user, whose post stays under /posts", async (user) => {
    const id = user === "no" ? UNKNOWN_ID : await createUser();
    const post = await createPost({}, id);
    if (user !== "no") await api.delete(`/users/${id}`);

    for (const path of [`/users/${id}/posts`, `/users/${id}/posts/${post.id}`])
      expect((await api.get(path)).status).toBe(404);
    expect((await api.get(`/posts/${post.id}`)).body).toEqual({ ...post, view_count: 1 });
  });
});

describe("the pages of posts", () => {
  const get = (target: string) => api.get(target);

  it("have links: those of a user, those found by a text, and those with a tag, newest first", async () => {
    const id = await createUser();
    const word = uniqueWord();
    const records: Post[] = [];
    for (let i = 0; i < 5; i += 1) records.unshift(await createPost({ title: word, tags: [word] }, id));

    for (const path of [`/users/${id}/posts?`, `/posts/search?q=${word}&`, `/posts?tag=${word}&`])
      expect(await followLinks(get, `${path}limit=2`)).toEqual({ records, responses: 3 });
  });

  it("end before a response is too large", async () => {
    const id = await createUser();
    const content = "🧀".repeat(95_000);
    const ids: number[] = [];
    for (let i = 0; i < 18; i += 1) ids.unshift((await createPost({ content, tags: [`t${id}`] }, id)).id);

    for (const first of [`/users/${id}/posts`, `/posts?tag=t${id}&limit=100`])
      expect(await followLinks(get, first, idsOf)).toEqual({ records: ids, responses: 2 });
  });
});
