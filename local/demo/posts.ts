import { readFileSync } from "node:fs";

type PostStatus = "draft" | "published" | "archived";

const table = readFileSync(new URL("posts.md", import.meta.url), "utf8");

/** The rows of posts.md. */
export const posts = table
  .trimEnd()
  .split("\n")
  .slice(2)
  .map((row) => {
    const [author = "", status = "", tags = "", title = "", content = ""] = row.slice(2, -2).split(" | ");
    return { author_id: Number(author), status: status as PostStatus, tags: tags.split(" "), title, content };
  });

/** How often the first posts are read. */
export const views: readonly number[] = [5, 3, 4, 1, 2, 0, 3, 2];
