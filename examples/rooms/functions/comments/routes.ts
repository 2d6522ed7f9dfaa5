import * as z from "zod/mini";
import { notFound, orNotFound } from "../../lib/domain/errors.ts";
import { containsIgnoringCase } from "../../lib/domain/text.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { listResponse } from "../../lib/http/pagination.ts";
import { created, deleted, found, routeBuilder } from "../../lib/http/route.ts";
import { type CommentsRepository, StoredComment } from "../../lib/repositories/comments.ts";
import type { RoomsRepository } from "../../lib/repositories/rooms.ts";
import { Comment, CommentQuery, CreateCommentRequest } from "../../lib/validators/comment.ts";
import { byId } from "../../lib/validators/cursor.ts";
import { recordId } from "../../lib/validators/parameter.ts";

interface CommentsDependencies {
  readonly comments: CommentsRepository;
  readonly rooms: RoomsRepository;
}

const route = routeBuilder<CommentsDependencies>({ tag: "comments", errorFormat: "detail" });
const room_id = recordId("The room's id");
const roomPath = z.object({ room_id });
const path = z.object({ room_id, id: recordId("The comment's id") });
const roomErrors = { 404: { when: "No room has this id", example: notFound("Room", 7) } };
const errors = { 404: { when: "The room has no comment with this id", example: notFound("Comment", 7) } };

export const routes = [
  route("GET /rooms/{room_id}/comments", {
    operationId: "listComments",
    summary: "List the comments on a room: all, or those with a text",
    description: "In id order. An index lists them, which can be a moment behind the latest change.",
    request: { path: roomPath, query: CommentQuery },
    responses: { 200: z.array(Comment) },
    errors: roomErrors,
    handle: async ({ path: { room_id }, query, target, budget }, { comments, rooms }) => {
      orNotFound(await rooms.read(room_id), "Room", room_id);
      const { cursor: after, limit, q = "" } = query;
      const contains = containsIgnoringCase(q);
      const filter = q === "" ? undefined : ({ text }: Comment) => contains(text);
      const page = await comments.listBy("by-room", ["room_id", room_id], { after, limit, filter }, budget());
      return listResponse(page, target, byId);
    },
  }),
  route("GET /rooms/{room_id}/comments/{id}", {
    operationId: "getComment",
    summary: "Get a comment on a room",
    description: "A comment on another room is a 404.",
    request: { path },
    responses: { 200: Comment },
    errors,
    etag: entityTag,
    handle: async ({ path: { room_id, id } }, { comments }) =>
      found(await comments.getOf(room_id, id), "Comment", id),
  }),
  route("POST /rooms/{room_id}/comments", {
    operationId: "createComment",
    summary: "Comment on a room",
    description: "The comment stays if the room is deleted.",
    request: { path: roomPath, body: CreateCommentRequest },
    responses: { 201: Comment },
    errors: roomErrors,
    etag: entityTag,
    location: ({ room_id, id }: Comment) => `/rooms/${room_id}/comments/${id}`,
    handle: async ({ path: { room_id }, body, idempotency }, { comments, rooms }) => {
      orNotFound(await rooms.read(room_id), "Room", room_id);
      return created(await comments.create({ room_id, ...body }, idempotency));
    },
  }),
  route("DELETE /rooms/{room_id}/comments/{id}", {
    operationId: "deleteComment",
    summary: "Delete a comment on a room",
    description: "A comment on another room is a 404.",
    request: { path },
    responses: { 204: z.undefined() },
    errors,
    etag: entityTag,
    handle: async ({ path: { room_id, id }, precondition }, { comments }) =>
      deleted(await comments.removeOf(room_id, id, precondition), "Comment", id),
  }),
];

/** What the repair checks. */
export const stored = { schema: StoredComment };
