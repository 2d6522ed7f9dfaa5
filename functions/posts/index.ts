import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { PostQueries } from "../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../lib/repositories/posts/posts.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const table = tableName("posts");
  const now = () => new Date();
  return (ownerOf) => ({
    posts: new PostsRepository(client, table, now, ownerOf("posts")),
    postQueries: new PostQueries(client, table, ownerOf("posts")),
    users: new UsersRepository(client, tableName("users"), ownerOf("users")),
  });
});

// Reads the user, whose posts would count a view.
await warmUp(handler, `/users/${UNUSED_ID}/posts/${UNUSED_ID}`);
