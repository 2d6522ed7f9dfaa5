import * as z from "zod";
import { notFound } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { limitPageToResponseSize, limitToResponseSize } from "../../lib/http/pagination.ts";
import { created, response, routeBuilder } from "../../lib/http/route.ts";
import type { PostFields } from "../../lib/repositories/posts/post-items.ts";
import type { PostQueries } from "../../lib/repositories/posts/post-queries.ts";
import type { PostsRepository } from "../../lib/repositories/posts/posts.ts";
import { cursorAfter, ListQuery } from "../../lib/validators/cursor.ts";
import { integerParameter } from "../../lib/validators/parameter.ts";
import {
  Post,
  PostCreate,
  PostStatistics,
  PostsQuery,
  PostsSearch,
  PostUpdate,
} from "../../lib/validators/post.ts";

/** What the post routes work with. */
export interface PostsDependencies {
  readonly posts: PostsRepository;
  readonly postLists: PostQueries;
}

const route = routeBuilder<PostsDependencies>({ tag: "posts", errorFormat: "detail" });
const errors = { 404: { when: "No post has that id", example: notFound("Post", 7) } };

/** The id of a post in a path (specification, "Limits"). */
export const postId = integerParameter(z.int().min(1)).describe("The post's id");
const path = z.object({ post_id: postId });

/** The blog posts (specification, "Blog posts"). */
export const postsRoutes = [
  route("GET /posts", {
    operationId: "listPosts",
    summary: "List posts: filtered, sorted, a page of them",
    description:
      "A post has to match every filter given. Ties break by id in the same direction. A list counts no views.",
    query: PostsQuery,
    responses: { 200: z.array(Post) },
    pagedBy: "limit",
    handle: async ({ query, target }, { postLists }) => {
      const { records, total } = await postLists.page(query);
      const { page, limit: size } = query;
      const fit = limitPageToResponseSize(records, { page, size, total }, target, "limit");
      return response(200, fit.records, fit.headers);
    },
  }),
  route("GET /posts/{post_id}", {
    operationId: "getPost",
    summary: "Get a post, which counts a view",
    description:
      "The count is part of the `ETag`, so that only `If-None-Match: *` is answered with 304, which counts a view " +
      "as well. A read that fails counts none.",
    path,
    responses: { 200: Post },
    errors,
    etag: postTag,
    handle: async ({ path: { post_id: id } }, { posts }) =>
      response(200, foundPost(await posts.view(id), id)),
  }),
  route("POST /posts", {
    operationId: "createPost",
    summary: "Create a post",
    description:
      "Without a status it is a `draft`, without tags it has none. A content that is too large to be stored, at " +
      "some 400 KB, is 422.",
    query: z.object({
      author_id: integerParameter(z.int().default(1)).describe("Who wrote it; there need not be such a user"),
    }),
    body: PostCreate,
    responses: { 201: Post },
    responseHeaders: { 201: ["location"] },
    creates: true,
    etag: postTag,
    handle: async ({ query, body, idempotency }, { posts }) => {
      const creation = await posts.create(query.author_id, fieldsOf(body), idempotency);
      return created(creation.record, creation, { location: `/posts/${creation.record.id}` });
    },
  }),
  route("PUT /posts/{post_id}", {
    operationId: "replacePost",
    summary: "Replace title, content, status and tags of a post",
    description:
      "Status and tags become `draft` and none where they are left out. Author, `created_at` and views stay. A " +
      "view is no edit: `If-Match` passes over those that came since.",
    path,
    body: PostCreate,
    responses: { 200: Post },
    errors,
    etag: postTag,
    handle: async ({ path: { post_id: id }, body, precondition }, { posts }) =>
      response(200, foundPost(await posts.update(id, fieldsOf(body), precondition), id)),
  }),
  route("PATCH /posts/{post_id}", {
    operationId: "updatePost",
    summary: "Change a post; absent and null fields keep their values",
    description:
      "`{}` changes `updated_at` alone, which never goes backwards. A view is no edit: `If-Match` passes over " +
      "those that came since.",
    path,
    body: PostUpdate,
    responses: { 200: Post },
    errors,
    etag: postTag,
    handle: async ({ path: { post_id: id }, body, precondition }, { posts }) => {
      const changes = {
        title: body.title ?? undefined,
        content: body.content ?? undefined,
        status: body.status ?? undefined,
        tags: body.tags ?? undefined,
      };
      return response(200, foundPost(await posts.update(id, changes, precondition), id));
    },
  }),
  route("DELETE /posts/{post_id}", {
    operationId: "deletePost",
    summary: "Delete a post",
    description:
      "The id is not given to another post. A view is no edit: `If-Match` passes over those that came since.",
    path,
    responses: { 204: z.undefined() },
    errors,
    etag: postTag,
    handle: async ({ path: { post_id: id }, precondition }, { posts }) => {
      foundPost((await posts.remove(id, { precondition })) || undefined, id);
      return response(204);
    },
  }),
  route("GET /posts/stats/summary", {
    operationId: "summarizePosts",
    summary: "Count posts and views",
    description: "`by_status` has the statuses that occur. `average_views` is 0 while there are no posts.",
    responses: { 200: PostStatistics },
    handle: async (_, { postLists }) => response(200, await postLists.statistics()),
  }),
  route("GET /posts/search", {
    operationId: "searchPosts",
    summary: "Find posts by a text in their title or content, newest first",
    description:
      "Upper and lower case are the same, in any script and no particular language. A search counts no views.",
    query: PostsSearch.extend(ListQuery.shape),
    responses: { 200: z.array(Post) },
    goesOn: true,
    handle: async ({ query: { limit, cursor, ...search }, target }, { postLists }) => {
      const slice = await postLists.search(search, { before: cursor, limit });
      const { records, headers } = limitToResponseSize(slice, target, ({ id }) => cursorAfter(id));
      return response(200, records, headers);
    },
  }),
];

/** What is written of a post that is created or replaced: status and tags have defaults. */
export function fieldsOf({ title, content, status, tags }: PostCreate): PostFields {
  return { title, content, status: status ?? "draft", tags: tags ?? [] };
}

/**
 * Tells a post from none.
 *
 * @throws ApiError `NotFound`, in the specification's words
 */
export function foundPost<T>(post: T | undefined, id: number): T {
  if (post === undefined) throw notFound("Post", id);
  return post;
}

/**
 * The entity tag of a post. The views stand after a dot: they are part of what readers see, but counting one is
 * no edit, so that `If-Match` passes over them (docs/adr/0009).
 */
export function postTag({ view_count, ...edited }: Post): string {
  return `${entityTag(edited)}.${view_count}`;
}
