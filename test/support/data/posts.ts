import { expect } from "vitest";
import type { Post } from "../../../lib/validators/post.ts";
import { api } from "../api/target.ts";

/** A word that no other post contains. */
export function uniqueWord(): string {
  return `w${crypto.randomUUID().replaceAll("-", "")}`;
}

/** Creates a post. */
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

/** The largest safe integer, an id that no record has. */
export const UNKNOWN_ID = 9_007_199_254_740_991;
