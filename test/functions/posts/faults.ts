import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { PostQueries } from "../../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../../lib/repositories/posts/posts.ts";
import { idempotencyContext } from "../../support/data/idempotency.ts";
import { testClient } from "../../support/database/database.ts";
import { any, type FaultArea, now } from "../../support/database/fault-area.ts";
import { stackTable } from "../../support/infra/stack-table.ts";

const fields = { title: "t", content: "c", status: "draft", tags: ["a"] } as const;
const oldest = { sort_by: "created_at", order: "asc", limit: 9 } as const;
const key = idempotencyContext("key");

export const faults: FaultArea<{ readonly posts: PostsRepository; readonly lists: PostQueries }> = {
  async open(endpoint) {
    const table = await stackTable(endpoint, "posts");
    const open = (client: DynamoDBDocumentClient) => ({
      posts: new PostsRepository(client, table, now),
      lists: new PostQueries(client, table),
    });
    const { posts: store } = open(testClient(endpoint));
    for (const author of [1, 2]) await store.create(author, { ...fields, tags: ["a"] }, undefined);
    return { tables: { posts: table }, with: open };
  },
  writes: {
    create: ({ posts: store }) => store.create(1, { ...fields, title: "new", tags: ["a", "b"] }, undefined),
    "create with a key": ({ posts: store }) => store.create(3, { ...fields, tags: ["b"] }, key),
    view: ({ posts: store }) => store.view(1),
    "update the title": ({ posts: store }) => store.update(1, { title: "x" }),
    "update the content and the tags": ({ posts: store }) => store.update(1, { content: "x", tags: ["b"] }),
    "update the title with a precondition": ({ posts: store }) => store.update(1, { title: "x" }, any),
    "update the content with a precondition": ({ posts: store }) => store.update(1, { content: "x" }, any),
    remove: ({ posts: store }) => store.remove(1),
    "remove with a precondition": ({ posts: store }) => store.remove(1, { precondition: any }),
  },
  reads: {
    page: ({ lists }) => lists.page(oldest),
    "page by tag": ({ lists }) => lists.page({ ...oldest, tag: "a" }),
    search: ({ lists }) => lists.search({ q: "c", fields: ["title", "content"] }),
    "count posts": ({ lists }) => lists.statistics(),
    "list by author": ({ lists }) => lists.listByAuthor(1),
  },
  others: {
    "change a post and change it back": [
      async ({ posts: store }) => {
        await store.create(3, { ...fields, tags: ["b"] }, key);
        await store.update(1, { title: "y", content: "y", tags: ["b"] });
      },
      ({ posts: store }) => store.update(1, { ...fields, tags: ["a"] }),
    ],
    "remove posts": [
      async ({ posts: store, lists }) => {
        for (const { id, author_id } of (await lists.page(oldest)).records)
          if (author_id !== 2) await store.remove(id);
      },
    ],
  },
  state: ({ lists }) => Promise.all([undefined, "a", "b"].map((tag) => lists.page({ ...oldest, tag }))),
};
