import { describe, expect, it } from "vitest";
import type { Post } from "../../lib/validators/post.ts";
import { createPost, idsOf, NOWHERE } from "../support/posts.ts";
import { api } from "../support/target.ts";

async function createUser(): Promise<number> {
  const { status, body } = await api.post("/users", { name: "Ada", email: "ada@example.com", age: 36 });
  expect(status).toBe(201);
  return body.id;
}

describe("POST /users/{id}/posts", () => {
  it("creates a post of that user, and says where it is", async () => {
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
    expect(response.headers.get("location")).toBe(`/users/${id}/posts/${response.body.id}`);
    expect((await api.get(`/posts/${response.body.id}`)).body).toEqual({ ...response.body, view_count: 1 });
  });

  it("refuses a post as POST /posts does", async () => {
    const { status, body } = await api.post(`/users/${await createUser()}/posts`, { title: "" });

    expect(status).toBe(422);
    expect(body.details.map(({ field }: { field: string }) => field)).toEqual(["body.title", "body.content"]);
  });
});

describe("GET /users/{id}/posts", () => {
  it("lists that author's posts, the newest first, and counts no views", async () => {
    const [id, other] = [await createUser(), await createUser()];
    const first = await createPost({ content: "1" }, id);
    await createPost({}, other);
    const second = (await api.post(`/users/${id}/posts`, { title: "x", content: "2" })).body;

    // The index by author follows a write after a moment.
    await expect.poll(async () => (await api.get(`/users/${id}/posts`)).body).toEqual([second, first]);
    await api.delete(`/posts/${first.id}`);
    expect((await api.get(`/users/${id}/posts`)).body).toEqual([second]);
  });

  it("lists a change at once", async () => {
    const id = await createUser();
    const post = await createPost({}, id);
    await expect.poll(async () => (await api.get(`/users/${id}/posts`)).body).toHaveLength(1);
    const { body } = await api.patch(`/posts/${post.id}`, { title: "new", content: "newer" });

    expect((await api.get(`/users/${id}/posts/`)).body).toEqual([body]);
  });

  it("is empty for a user who has written nothing", async () => {
    expect(await api.get(`/users/${await createUser()}/posts`)).toMatchObject({ status: 200, body: [] });
  });
});

describe("GET /users/{id}/posts/{post_id}", () => {
  it("answers the post and counts the view", async () => {
    const id = await createUser();
    const post = await createPost({}, id);

    expect(await api.get(`/users/${id}/posts/${post.id}`)).toMatchObject({ status: 200 });
    expect((await api.get(`/posts/${post.id}`)).body).toEqual({ ...post, view_count: 2 });
  });

  it("does not find another author's post, and counts no view", async () => {
    const [id, other] = [await createUser(), await createUser()];
    const post = await createPost({}, other);

    expect(await api.get(`/users/${id}/posts/${post.id}`)).toMatchObject({
      status: 404,
      body: { detail: `Post with id ${post.id} not found` },
    });
    expect((await api.get(`/posts/${post.id}`)).body.view_count).toBe(1);
  });

  it("does not find a post of an author who is no user, and counts no view", async () => {
    const post = await createPost({}, NOWHERE);

    expect((await api.get(`/users/${NOWHERE}/posts/${post.id}`)).status).toBe(404);
    expect((await api.get(`/posts/${post.id}`)).body.view_count).toBe(1);
  });
});

describe("DELETE /users/{id}/posts/{post_id}", () => {
  it("deletes the post", async () => {
    const id = await createUser();
    const post = await createPost({}, id);

    expect(await api.delete(`/users/${id}/posts/${post.id}`)).toMatchObject({ status: 204, body: undefined });
    expect((await api.get(`/posts/${post.id}`)).status).toBe(404);
  });

  it("leaves another author's post alone", async () => {
    const [id, other] = [await createUser(), await createUser()];
    const post = await createPost({}, other);

    expect((await api.delete(`/users/${id}/posts/${post.id}`)).status).toBe(404);
    expect((await api.get(`/posts/${post.id}`)).status).toBe(200);
  });
});

describe.each([
  ["GET", "/posts", undefined],
  ["POST", "/posts", { title: "x", content: "y" }],
  ["GET", "/posts/1", undefined],
  ["DELETE", "/posts/1", undefined],
])("%s /users/{id}%s", (method, path, json) => {
  it.each([NOWHERE, 0, -1, "abc", "1.5", "9".repeat(30)])("knows no user %s", async (id) => {
    expect(await api.request(method, `/users/${id}${path}`, json)).toMatchObject({
      status: 404,
      body: { detail: "User not found" },
    });
  });
});

describe.each(["GET", "DELETE"])("%s /users/{id}/posts/{post_id} of no post", (method) => {
  it("answers 404 and names the id", async () => {
    const id = await createUser();

    expect(await api.request(method, `/users/${id}/posts/${NOWHERE}`)).toMatchObject({
      status: 404,
      body: { detail: `Post with id ${NOWHERE} not found` },
    });
  });

  it.each(["0", "-1", "abc"])("refuses the id %s", async (post) => {
    const { status, body } = await api.request(method, `/users/${await createUser()}/posts/${post}`);

    expect(status).toBe(422);
    expect(body.details).toHaveLength(1);
    expect(body.details[0].field).toBe("path.post_id");
  });
});

describe("a deleted user's posts", () => {
  it("stay, but not as that user's", async () => {
    const id = await createUser();
    const post: Post = await createPost({}, id);
    await api.delete(`/users/${id}`);

    expect((await api.get(`/users/${id}/posts`)).status).toBe(404);
    expect(idsOf([(await api.get(`/posts/${post.id}`)).body])).toEqual([post.id]);
  });
});
