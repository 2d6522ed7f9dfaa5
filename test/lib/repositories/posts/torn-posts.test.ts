import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { contentKey } from "../../../../lib/repositories/posts/post-items.ts";
import { PostQueries } from "../../../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../../../lib/repositories/posts/posts.ts";
import { engines, testClient } from "../../../support/database/database.ts";
import { stackTable } from "../../../support/infra/stack-table.ts";

describe.each(engines)("posts of which a backup has kept an older part, on $name", ({ endpoint }) => {
  const client = testClient(endpoint);

  async function tornPost(change: (table: string) => Promise<unknown>) {
    const table = await stackTable(endpoint, "posts");
    const posts = new PostsRepository(client, table, () => new Date(0));
    const fields = { title: "t", content: "a", status: "draft", tags: ["x"] } as const;
    await posts.create(1, { ...fields, tags: ["x"] }, undefined);
    await change(table);
    return { posts, lists: new PostQueries(client, table) };
  }

  it("have the content that is there", async () => {
    const { posts, lists } = await tornPost((TableName) =>
      client.send(
        new PutCommand({ TableName, Item: { ...contentKey(1), version: "older", content: "older" } }),
      ),
    );

    expect(await posts.view(1)).toMatchObject({ content: "older" });
    expect((await lists.listByAuthor(1)).records).toMatchObject([{ content: "older" }]);
    expect(await posts.update(1, { title: "new" })).toMatchObject({ title: "new", content: "older" });
    expect(await posts.update(1, { content: "new" })).toMatchObject({ title: "new", content: "new" });
    expect(await posts.view(1)).toMatchObject({ title: "new", content: "new" });
  });

  it("are damaged without content, until they get one or are deleted", async () => {
    const { posts, lists } = await tornPost((TableName) =>
      client.send(new DeleteCommand({ TableName, Key: contentKey(1) })),
    );

    const isDamaged = "The stored record 1 is damaged: content";
    await expect(posts.view(1)).rejects.toThrow(isDamaged);
    expect((await lists.listByAuthor(1)).records).toEqual([]);
    await expect(posts.update(1, { title: "new" })).rejects.toThrow(isDamaged);
    await expect(posts.update(1, { content: "new" }, () => expect.unreachable())).rejects.toThrow(isDamaged);
    expect(await posts.update(1, { content: "new" })).toMatchObject({ content: "new" });
    expect(await posts.view(1)).toMatchObject({ content: "new" });
    expect(await posts.remove(1)).toBe(true);
    expect(await posts.view(1)).toBeUndefined();
  });
});
