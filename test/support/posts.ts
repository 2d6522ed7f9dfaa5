import { expect } from "vitest";
import type { Post } from "../../lib/validators/post.ts";
import { api } from "./target.ts";

/** A word that no other post has. */
export function uniqueWord(): string {
  return `w${crypto.randomUUID().replaceAll("-", "")}`;
}

/** Creates a post under test. */
export async function createPost(fields: object = {}, author_id = 1): Promise<Post> {
  const { status, body } = await api.post(
    "/posts",
    { title: "A title", content: "Some content", ...fields },
    { query: { author_id } },
  );
  expect(status).toBe(201);
  return body;
}

/** The ids of posts, in their order. */
export function idsOf(posts: readonly Post[]): number[] {
  return posts.map(({ id }) => id);
}

/** An id that no post has: far beyond the last one, and a safe integer. */
export const NOWHERE = 9_007_199_254_740_991;
