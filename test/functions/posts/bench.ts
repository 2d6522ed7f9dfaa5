import type { MeasuredHandlers } from "../../support/measured-handlers.ts";

const post = { title: "Hello", content: "First words. ".repeat(80), tags: ["news"], status: "published" };
const time = "2026-01-01T00:00:00.000Z";
const stored = { id: 1, author_id: 1, ...post, created_at: time, updated_at: time, view_count: 0 };

export const bench: MeasuredHandlers = {
  dependencies: {
    posts: { create: async () => ({ record: stored, replayed: false }) },
    postQueries: { page: async () => ({ records: Array.from({ length: 10 }, () => stored), total: 10 }) },
  },
  requests: [
    {
      name: "GET /posts, 4 parameters, 10 posts of 1 KB",
      request: "GET /posts?status=published&sort_by=view_count&page=2&limit=10",
      status: 200,
    },
    { name: "POST /posts, 1 KB", request: "POST /posts", body: post, status: 201 },
    { name: "POST /posts, two errors", request: "POST /posts", body: { title: "", content: 1 }, status: 422 },
  ],
};
