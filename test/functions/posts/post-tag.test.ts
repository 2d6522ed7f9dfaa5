import { expect, it } from "vitest";
import { postTag } from "../../../functions/posts/routes.ts";
import { entityTag } from "../../../lib/http/etag.ts";

it("the entity tag of a post does not depend on its view count except after the dot, whatever its texts are", () => {
  const edited = {
    id: 1,
    author_id: 1,
    title: ',"view_count":7',
    content: '\\","view_count":7,"',
    status: "draft" as const,
    tags: [',"view_count":7'],
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
  };
  const post = { ...edited, view_count: 12 };

  for (const tag of [postTag(post), postTag(post, JSON.stringify(post))])
    expect(tag).toBe(`${entityTag(edited)}.12`);
});
