import { expect } from "vitest";
import { posts, views } from "../../../local/demo/posts.ts";
import { type DemoExpectation, numbered } from "../../support/demo.ts";

/** 20 posts with tags, some of them read. */
export const demo: DemoExpectation = async (api) => {
  const { data = [] } = await api.GET("/posts", { params: { query: { limit: 100 } } });
  const byId = data.toSorted((a, b) => a.id - b.id);

  expect(byId).toHaveLength(20);
  expect(byId).toMatchObject(numbered(posts.map((post, i) => ({ ...post, view_count: views[i] ?? 0 }))));
  expect(byId.every(({ tags }) => tags.length > 0)).toBe(true);
  return posts.length;
};
