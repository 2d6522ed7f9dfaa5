import { expect } from "vitest";
import { type DemoExpectation, demoRequests, numbered } from "../../support/demo.ts";

/** 20 posts with tags, some of them read. */
export const demo: DemoExpectation = async (api) => {
  const { data = [] } = await api.GET("/posts", { params: { query: { limit: 100 } } });
  const byId = data.toSorted((a, b) => a.id - b.id);
  const posts = demoRequests("posts", /^POST \/posts\?author_id=(\d+)$/);
  const viewed = demoRequests("posts", /^GET \/posts\/(\d+)$/).map(({ groups: [id] }) => id);
  const expected = posts.map(({ groups: [author_id], body }, i) => {
    return { ...body, author_id, view_count: viewed.filter((id) => id === i + 1).length };
  });

  expect(byId).toHaveLength(20);
  expect(byId).toMatchObject(numbered(expected));
  expect(byId.every(({ tags }) => tags.length > 0)).toBe(true);
  return posts.length;
};
