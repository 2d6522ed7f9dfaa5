import * as z from "zod";
import { notFound } from "../../lib/domain/errors.ts";
import { limitToResponseSize } from "../../lib/http/pagination.ts";
import { response, routeBuilder } from "../../lib/http/route.ts";
import { cursorAfter, ListQuery } from "../../lib/validators/cursor.ts";
import { recordId } from "../../lib/validators/parameter.ts";
import { Post, PostCreate } from "../../lib/validators/post.ts";
import { fieldsOf, foundPost, type PostsDependencies, postId, postTag } from "./routes.ts";

/** What the nested routes work with: of the user records it matters only whether they exist. */
export interface NestedPostsDependencies extends PostsDependencies {
  readonly users: { get(id: number): Promise<unknown> };
}

const route = routeBuilder<NestedPostsDependencies>({ tag: "posts", errorFormat: "detail" });
const userId = recordId.describe("The user's id, who is the author");
const user = z.object({ id: userId });
const post = z.object({ id: userId, post_id: postId });
const noUser = { 404: { when: "No user has that id", example: notFound("User") } };
const errors = {
  404: {
    when: "No user has that id, or no post of that user has that id",
    example: notFound("Post", 7),
  },
};

/** The posts of one author (docs/decisions.md): the user record has to exist. */
export const nestedPostsRoutes = [
  route("GET /users/{id}/posts", {
    operationId: "listUserPosts",
    summary: "List a user's posts, newest first",
    description:
      "An index says which posts there are, and can lag behind a new one by a moment. A list counts no views.",
    path: user,
    query: ListQuery,
    responses: { 200: z.array(Post) },
    errors: noUser,
    goesOn: true,
    handle: async ({ path: { id }, query: { limit, cursor }, target }, services) => {
      const wanted = services.postLists.readByAuthor(id, { before: cursor, limit });
      const [, slice] = await Promise.all([existing(id, services), wanted]);
      const { records, headers } = limitToResponseSize(slice, target, (each) => cursorAfter(each.id));
      return response(200, records, headers);
    },
  }),
  route("GET /users/{id}/posts/{post_id}", {
    operationId: "getUserPost",
    summary: "Get a user's post, which counts a view",
    description:
      "The user record has to exist, and a post of another author is 404, which counts no view. Otherwise as " +
      "`GET /posts/{post_id}`.",
    path: post,
    responses: { 200: Post },
    errors,
    etag: postTag,
    handle: async ({ path: { id, post_id } }, services) => {
      await existing(id, services);
      return response(200, foundPost(await services.posts.view(post_id, id), post_id));
    },
  }),
  route("POST /users/{id}/posts", {
    operationId: "createUserPost",
    summary: "Create a post of a user",
    description:
      "As `POST /posts` with `author_id`, but the user record has to exist: that is checked after the body.",
    path: user,
    body: PostCreate,
    responses: { 201: Post },
    responseHeaders: { 201: ["location"] },
    creates: true,
    errors: noUser,
    etag: postTag,
    handle: async ({ path: { id }, body, idempotency }, services) => {
      await existing(id, services);
      const created = await services.posts.create(id, fieldsOf(body), idempotency);
      return response(201, created, { location: `/users/${id}/posts/${created.id}` });
    },
  }),
  route("DELETE /users/{id}/posts/{post_id}", {
    operationId: "deleteUserPost",
    summary: "Delete a user's post",
    description:
      "The user record has to exist, and a post of another author is 404. A view is no edit: `If-Match` passes " +
      "over those that came since.",
    path: post,
    responses: { 204: z.undefined() },
    errors,
    etag: postTag,
    handle: async ({ path: { id, post_id }, precondition }, services) => {
      await existing(id, services);
      foundPost((await services.posts.remove(post_id, { author: id, precondition })) || undefined, post_id);
      return response(204);
    },
  }),
];

async function existing(id: number, { users }: NestedPostsDependencies): Promise<void> {
  if ((await users.get(id)) === undefined) throw notFound("User");
}
