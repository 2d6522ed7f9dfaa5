import { createHandler } from "../../lib/http/handler.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { PostLists } from "../../lib/repositories/posts/post-lists.ts";
import { PostsRepository } from "../../lib/repositories/posts/posts.ts";
import { usersRepository } from "../../lib/repositories/users.ts";
import { tableName } from "../../lib/settings.ts";
import { nestedPostsRoutes } from "./nested-routes.ts";
import { postsRoutes } from "./routes.ts";

export const handler = createHandler([...postsRoutes, ...nestedPostsRoutes], () => {
  const client = documentClient();
  const table = tableName("posts");
  return {
    posts: new PostsRepository(client, table, () => new Date()),
    postLists: new PostLists(client, table),
    users: usersRepository(client, tableName("users")),
  };
});
