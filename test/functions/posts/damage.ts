import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { PostFields } from "../../../lib/repositories/posts/post-items.ts";
import { PostsRepository } from "../../../lib/repositories/posts/posts.ts";
import type { Crash } from "../../support/database/crash.ts";

/** One tag lacks its entry, another one has too many. */
export const damage: Crash = async (client, tableOf) => {
  const table = tableOf("posts");
  const post: PostFields = { title: "t", content: "c", status: "draft", tags: ["a"] };
  const { record } = await new PostsRepository(client, table, () => new Date()).create(1, post, undefined);
  await client.send(new PutCommand({ TableName: table, Item: { pk: "tag#a", sk: record.id - 1 } }));
  await client.send(new DeleteCommand({ TableName: table, Key: { pk: "tag#a", sk: record.id } }));
};
