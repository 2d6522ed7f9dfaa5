import { readFileSync } from "node:fs";
import type { ApiClient } from "../../client/index.js";
import { succeed } from "./succeed.ts";

type PostStatus = "draft" | "published" | "archived";

const table = readFileSync(new URL("posts.md", import.meta.url), "utf8");

export const posts = table
  .trimEnd()
  .split("\n")
  .slice(2)
  .map((row) => {
    const [author = "", status = "", tags = "", title = "", content = ""] = row.slice(2, -2).split(" | ");
    return { author_id: Number(author), status: status as PostStatus, tags: tags.split(" "), title, content };
  });

export const views: readonly number[] = [5, 3, 4, 1, 2, 0, 3, 2];

export async function writePosts(api: ApiClient): Promise<void> {
  for (const { author_id, ...body } of posts)
    await succeed(api.idempotent("/posts", { params: { query: { author_id } }, body }));
  for (const [index, count] of views.entries())
    for (let view = 0; view < count; view++)
      await succeed(api.GET("/posts/{post_id}", { params: { path: { post_id: index + 1 } } }));
}
