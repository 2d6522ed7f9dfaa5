import * as z from "zod/mini";
import { notFound, orNotFound } from "../../lib/domain/errors.ts";
import { limitToResponseSize } from "../../lib/http/pagination.ts";
import { created, response, routeBuilder } from "../../lib/http/route.ts";
import type { PostQueries } from "../../lib/repositories/posts/post-queries.ts";
import type { PostsRepository } from "../../lib/repositories/posts/posts.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import { byId, ListQuery } from "../../lib/validators/cursor.ts";
import { recordId } from "../../lib/validators/parameter.ts";
import { Post, PostCreate, postId } from "../../lib/validators/post.ts";
import { postTag } from "./post-tag.ts";

interface NestedPostsDependencies {
  readonly posts: PostsRepository;
  readonly postQueries: PostQueries;
  readonly users: Pick<UsersRepository, "get">;
}

const route = routeBuilder<NestedPostsDependencies>({ tag: "posts", errorFormat: "detail" });
const userId = recordId("The id of the user, who is the author");
const userPath = z.object({ id: userId });
const postPath = z.object({ id: userId, post_id: postId });
const userErrors = { 404: { when: "No user has this id", example: notFound("User") } };
const postErrors = {
  404: { when: "No user has this id, or the user has no post with this id", example: notFound("Post", 7) },
};

/** The posts of one author, whose user record must exist (docs/decisions.md). */
export const nestedPostRoutes = [
  route("GET /users/{id}/posts", {
    operationId: "listUserPosts",
    summary: "List a user's posts, newest first",
    description:
      "An index lists the posts, which can be a moment behind the latest change. Lists count no views.",
    request: { path: userPath, query: ListQuery },
    responses: { 200: z.array(Post) },
    errors: userErrors,
    handle: async ({ path: { id }, query: { limit, cursor }, target, budget }, { users, postQueries }) => {
      const [page] = await Promise.all([
        postQueries.listByAuthor(id, { before: cursor, limit }, budget),
        requireUser(id, users),
      ]);
      const { records, headers } = limitToResponseSize(page, target, byId);
      return response(200, records, headers);
    },
  }),
  route("GET /users/{id}/posts/{post_id}", {
    operationId: "getUserPost",
    summary: "Get a user's post, which counts a view",
    description:
      "The user record must exist. A post of another author is a 404 and counts no view. Otherwise as " +
      "`GET /posts/{post_id}`.",
    request: { path: postPath },
    responses: { 200: Post },
    errors: postErrors,
    etag: postTag,
    handle: async ({ path: { id, post_id } }, { users, posts }) => {
      await requireUser(id, users);
      return response(200, orNotFound(await posts.view(post_id, id), "Post", post_id));
    },
  }),
  route("POST /users/{id}/posts", {
    operationId: "createUserPost",
    summary: "Create a post of a user",
    description: "As `POST /posts` with `author_id`, except that the user record must exist.",
    request: { path: userPath, body: PostCreate },
    responses: { 201: Post },
    errors: userErrors,
    etag: postTag,
    location: ({ author_id, id }: Post) => `/users/${author_id}/posts/${id}`,
    handle: async ({ path: { id }, body, idempotency }, { users, posts }) => {
      await requireUser(id, users);
      return created(await posts.create(id, body, idempotency));
    },
  }),
  route("DELETE /users/{id}/posts/{post_id}", {
    operationId: "deleteUserPost",
    summary: "Delete a user's post",
    description:
      "The user record must exist, and a post of another author is a 404. A view is no edit: `If-Match` ignores " +
      "views since.",
    request: { path: postPath },
    responses: { 204: z.undefined() },
    errors: postErrors,
    etag: postTag,
    handle: async ({ path: { id, post_id }, precondition }, { users, posts }) => {
      await requireUser(id, users);
      if (!(await posts.remove(post_id, { author: id, precondition }))) throw notFound("Post", post_id);
      return response(204);
    },
  }),
];

async function requireUser(id: number, users: NestedPostsDependencies["users"]): Promise<void> {
  orNotFound(await users.get(id), "User");
}
