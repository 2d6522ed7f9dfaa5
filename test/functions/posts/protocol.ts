import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { UNKNOWN_ID } from "../../support/data/values.ts";

const post = { title: "A title", content: "Some content" };

export const protocol: AreaProtocol = {
  samples: {
    posts: async () => {
      const created = await api.post("/posts", post);
      const path = `/posts/${created.body.id}`;
      const changes = [
        ["PUT", path, { ...post, content: "Other content" }],
        ["PATCH", path, { content: "Even other content" }],
        ["PATCH", path, { title: "Another title" }],
      ] as const;
      return { created, path, changes };
    },
    "nested posts": async () => {
      const { id } = (await api.post("/users", { name: "Ada", email: "ada@example.com", age: 36 })).body;
      const created = await api.post(`/users/${id}/posts`, post);
      const path = `/users/${id}/posts/${created.body.id}`;
      const changes = [["PATCH", `/posts/${created.body.id}`, { title: "Another title" }]] as const;
      return { created, path, changes };
    },
  },
  countsViews: true,
  resumable: [
    ...["/posts/search?q=a&", "/posts/search?q=a&fields=title&", "/posts?search=a&", "/posts?tag=a&"],
    ...["/posts?tag=a&order=asc&", "/posts?tag=a&status=draft&", "/posts?status=draft&order=asc&"],
  ],
  errors: [
    ["GET /posts", 422, () => api.get("/posts?status=0")],
    ["GET /posts/{post_id}", 404, () => api.get(`/posts/${UNKNOWN_ID}`)],
    ["GET /posts/search", 422, () => api.get("/posts/search")],
    ["GET /users/{id}/posts", 404, () => api.get(`/users/${UNKNOWN_ID}/posts`)],
  ],
};
