import { expect } from "vitest";
import type { Post } from "../../../lib/validators/post.ts";
import { api } from "../../support/api/target.ts";

export async function createPost(fields: object = {}, author_id = 1): Promise<Post> {
  const { status, body } = await api.post(
    "/posts",
    { title: "A title", content: "Some content", ...fields },
    { query: { author_id } },
  );
  expect(status).toBe(201);
  return body;
}

export function idsOf(posts: readonly Post[]): number[] {
  return posts.map(({ id }) => id);
}
