import { createHandler } from "../../lib/http/handler.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { PostQueries } from "../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../lib/repositories/posts/posts.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { setting } from "../../lib/settings.ts";
import { nestedPostsRoutes } from "./nested-routes.ts";
import { postsRoutes } from "./routes.ts";

export const handler = createHandler([...postsRoutes, ...nestedPostsRoutes], () => {
  const client = documentClient();
  const table = setting("POSTS_TABLE");
  return {
    posts: new PostsRepository(client, table, () => new Date()),
    postLists: new PostQueries(client, table),
    users: new UsersRepository(client, setting("USERS_TABLE")),
  };
});
