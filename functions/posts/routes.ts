import * as z from "zod/mini";
import { notFound, orNotFound } from "../../lib/domain/errors.ts";
import { ReadBudgetExceeded } from "../../lib/domain/read-budget.ts";
import { entityTag } from "../../lib/http/etag.ts";
import {
  limitPageToResponseSize,
  limitToResponseSize,
  listResponse,
  misplacedCursor,
} from "../../lib/http/pagination.ts";
import { created, deleted, found, response, routeBuilder } from "../../lib/http/route.ts";
import { contentKey, PostSummary, tagPartition } from "../../lib/repositories/posts/post-items.ts";
import { type PostQueries, TOO_MANY_TO_COUNT } from "../../lib/repositories/posts/post-queries.ts";
import type { PostsRepository } from "../../lib/repositories/posts/posts.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import { byId, ListQuery } from "../../lib/validators/cursor.ts";
import { integerParameter, recordId } from "../../lib/validators/parameter.ts";
import {
  Post,
  PostCreate,
  PostStatistics,
  PostsQuery,
  PostsSearch,
  PostUpdate,
  postId,
} from "../../lib/validators/post.ts";

interface PostsDependencies {
  readonly posts: PostsRepository;
  readonly postQueries: PostQueries;
  readonly users: Pick<UsersRepository, "read">;
}

const route = routeBuilder<PostsDependencies>({ tag: "posts", errorFormat: "detail", isAdmitted: true });
const path = z.object({ post_id: postId });
const errors = { 404: { when: "No post has this id", example: notFound("Post", 7) } };

/** The blog posts (specification, "Blog posts"). */
const postRoutes = [
  route("GET /posts", {
    operationId: "listPosts",
    summary: "List a page of posts, filtered and sorted",
    description:
      "Posts must match every filter given. Ties are sorted by id in the same direction. Lists count no views. The " +
      "next page of filtered posts in the order of `created_at` has a `cursor` instead of a number.",
    request: { query: PostsQuery },
    responses: { 200: z.array(Post) },
    handle: async ({ query, target, budget }, { postQueries }) => {
      const { page = 1, limit: size, cursor, sort_by } = query;
      if (cursor !== undefined && (query.page !== undefined || sort_by !== "created_at"))
        throw misplacedCursor();
      const list = await postQueries.page(query, budget());
      const { records, headers } =
        "total" in list
          ? limitPageToResponseSize(list.records, { page, size, total: list.total }, target, "limit")
          : limitToResponseSize(list, target, byId, cursor === undefined ? { page, size } : undefined);
      return response(200, records, headers);
    },
  }),
  route("GET /posts/{post_id}", {
    operationId: "getPost",
    summary: "Get a post, which counts a view",
    description:
      "The view count is part of the `ETag`, so only `If-None-Match: *` is answered with 304; that counts a view as " +
      "well. A failed read counts none. The count is approximate: the service repeats a write to its database whose " +
      "response is lost, and can then count a view twice if another one was counted in between.",
    request: { path },
    responses: { 200: Post },
    errors,
    etag: postTag,
    handle: async ({ path: { post_id: id } }, { posts }) => found(await posts.view(id), "Post", id),
  }),
  route("POST /posts", {
    operationId: "createPost",
    summary: "Create a post",
    description: "By default, the status is `draft` and there are no tags.",
    request: {
      query: z.object({
        author_id: integerParameter(
          z._default(z.int(), 1),
          "The id of the author; the user record need not exist",
        ),
      }),
      body: PostCreate,
    },
    responses: { 201: Post },
    etag: postTag,
    location: ({ id }: Post) => `/posts/${id}`,
    handle: async ({ query, body, idempotency, budget }, { posts }) =>
      created(await posts.create(query.author_id, body, idempotency, budget().signal)),
  }),
  route("PUT /posts/{post_id}", {
    operationId: "replacePost",
    summary: "Replace title, content, status and tags of a post",
    description:
      "Absent status and tags get their defaults. Author, `created_at` and views stay. A view is not an edit: " +
      "`If-Match` ignores views.",
    request: { path, body: PostCreate },
    responses: { 200: Post },
    errors,
    etag: postTag,
    handle: async ({ path: { post_id: id }, body, precondition, budget }, { posts }) =>
      found(await posts.update(id, body, precondition, budget().signal), "Post", id),
  }),
  route("PATCH /posts/{post_id}", {
    operationId: "updatePost",
    summary: "Change a post; absent and null fields keep their values",
    description:
      "`{}` changes only `updated_at`, which never goes backwards. A view is not an edit: `If-Match` ignores views.",
    request: { path, body: PostUpdate },
    responses: { 200: Post },
    errors,
    etag: postTag,
    handle: async ({ path: { post_id: id }, body, precondition, budget }, { posts }) =>
      found(await posts.update(id, body, precondition, budget().signal), "Post", id),
  }),
  route("DELETE /posts/{post_id}", {
    operationId: "deletePost",
    summary: "Delete a post",
    description: "Its id is not reused. A view is not an edit: `If-Match` ignores views.",
    request: { path },
    responses: { 204: z.undefined() },
    errors,
    etag: postTag,
    handle: async ({ path: { post_id: id }, precondition, budget }, { posts }) =>
      deleted(await posts.remove(id, { precondition, signal: budget().signal }), "Post", id),
  }),
  route("GET /posts/stats/summary", {
    operationId: "summarizePosts",
    summary: "Count posts and views",
    description: "`by_status` has only the statuses that occur. `average_views` is 0 if there are no posts.",
    responses: { 200: PostStatistics },
    errors: {
      503: {
        when: "There are too many posts to count",
        example: new ReadBudgetExceeded(TOO_MANY_TO_COUNT),
      },
    },
    handle: async ({ budget }, { postQueries }) => response(200, await postQueries.statistics(budget())),
  }),
  route("GET /posts/search", {
    operationId: "searchPosts",
    summary: "Find posts by a text in their title or content, newest first",
    description:
      "The search ignores case and how letters are composed (NFKC), in any script. It counts no views.",
    request: { query: z.extend(PostsSearch, ListQuery.shape) },
    responses: { 200: z.array(Post) },
    handle: async ({ query: { limit, cursor, ...search }, target, budget }, { postQueries }) => {
      const page = await postQueries.search(search, { after: cursor, limit }, budget());
      return listResponse(page, target, byId);
    },
  }),
];

const userId = recordId("The id of the user, who is the author");
const userPath = z.object({ id: userId });
const postPath = z.object({ id: userId, post_id: postId });
const userErrors = { 404: { when: "No user has this id", example: notFound("User") } };
const postErrors = {
  404: { when: "No user has this id, or the user has no post with this id", example: notFound("Post", 7) },
};

/** The posts of one author, whose user record must exist (docs/specification.md). */
const nestedPostRoutes = [
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
        postQueries.listByAuthor(id, { after: cursor, limit }, budget()),
        requireUser(id, users),
      ]);
      return listResponse(page, target, byId);
    },
  }),
  route("GET /users/{id}/posts/{post_id}", {
    operationId: "getUserPost",
    summary: "Get a user's post, which counts a view",
    description:
      "The user record must exist. A post of another author is a 404 and counts no view. Otherwise like " +
      "`GET /posts/{post_id}`.",
    request: { path: postPath },
    responses: { 200: Post },
    errors: postErrors,
    etag: postTag,
    handle: async ({ path: { id, post_id } }, { users, posts }) => {
      await requireUser(id, users);
      return found(await posts.view(post_id, id), "Post", post_id);
    },
  }),
  route("POST /users/{id}/posts", {
    operationId: "createUserPost",
    summary: "Create a post for a user",
    description: "Like `POST /posts` with `author_id`, except that the user record must exist.",
    request: { path: userPath, body: PostCreate },
    responses: { 201: Post },
    errors: userErrors,
    etag: postTag,
    location: ({ author_id, id }: Post) => `/users/${author_id}/posts/${id}`,
    handle: async ({ path: { id }, body, idempotency, budget }, { users, posts }) => {
      await requireUser(id, users);
      return created(await posts.create(id, body, idempotency, budget().signal));
    },
  }),
  route("DELETE /users/{id}/posts/{post_id}", {
    operationId: "deleteUserPost",
    summary: "Delete a user's post",
    description:
      "The user record must exist, and a post of another author is a 404. A view is not an edit: `If-Match` " +
      "ignores views.",
    request: { path: postPath },
    responses: { 204: z.undefined() },
    errors: postErrors,
    etag: postTag,
    handle: async ({ path: { id, post_id }, precondition, budget }, { users, posts }) => {
      await requireUser(id, users);
      const options = { author: id, precondition, signal: budget().signal };
      return deleted(await posts.remove(post_id, options), "Post", post_id);
    },
  }),
];

export const routes = [...postRoutes, ...nestedPostRoutes];

export const stored = {
  schema: PostSummary,
  partKey: contentKey,
  entries: { attribute: "tags", partitionOf: tagPartition },
};

async function requireUser(id: number, users: PostsDependencies["users"]): Promise<void> {
  orNotFound(await users.read(id), "User");
}

/** The views follow a dot: the representation has them, but `If-Match` ignores them (docs/adr/0009). */
export function postTag(post: Post, json = JSON.stringify(post)): string {
  // Inside of a string, the quotes of this text would be escaped.
  const edited = json.replace(/,"view_count":\d+/, "");
  return `${entityTag(post, edited)}.${post.view_count}`;
}
