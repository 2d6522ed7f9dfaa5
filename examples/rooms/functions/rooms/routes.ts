import * as z from "zod/mini";
import { notFound } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { listResponse } from "../../lib/http/pagination.ts";
import { created, deleted, found, routeBuilder } from "../../lib/http/route.ts";
import { occupied, type RoomsRepository, StoredRoom } from "../../lib/repositories/rooms.ts";
import { byId, ListQuery } from "../../lib/validators/cursor.ts";
import { recordId } from "../../lib/validators/parameter.ts";
import { Room, RoomRequest } from "../../lib/validators/room.ts";

interface RoomsDependencies {
  readonly rooms: RoomsRepository;
}

const route = routeBuilder<RoomsDependencies>({ tag: "rooms", errorFormat: "detail" });
const path = z.object({ id: recordId("The room's id") });
const errors = { 404: { when: "No room has this id", example: notFound("Room", 7) } };

export const routes = [
  route("GET /rooms", {
    operationId: "listRooms",
    summary: "List rooms, optionally paginated",
    description: "In id order.",
    request: { query: ListQuery },
    responses: { 200: z.array(Room) },
    handle: async ({ query: { limit, cursor }, target, budget }, { rooms }) => {
      const page = await rooms.list({ after: cursor, limit }, budget().forPart());
      return listResponse(page, target, byId);
    },
  }),
  route("GET /rooms/{id}", {
    operationId: "getRoom",
    summary: "Get a room",
    description: "A deleted room is a 404.",
    request: { path },
    responses: { 200: Room },
    errors,
    etag: entityTag,
    handle: async ({ path: { id } }, { rooms }) => found(await rooms.get(id), "Room", id),
  }),
  route("POST /rooms", {
    operationId: "createRoom",
    summary: "Create a room",
    description: "Names need not be unique.",
    request: { body: RoomRequest },
    responses: { 201: Room },
    etag: entityTag,
    location: ({ id }: Room) => `/rooms/${id}`,
    handle: async ({ body, idempotency }, { rooms }) =>
      created(await rooms.create({ ...body, occupied_by: null }, idempotency)),
  }),
  route("PUT /rooms/{id}", {
    operationId: "replaceRoom",
    summary: "Replace a room",
    description: "Who occupies it stays as it is.",
    request: { path, body: RoomRequest },
    responses: { 200: Room },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, body, precondition }, { rooms }) =>
      found(await rooms.update(id, body, precondition), "Room", id),
  }),
  route("DELETE /rooms/{id}", {
    operationId: "deleteRoom",
    summary: "Delete a room that nobody occupies",
    description: "Its id is not reused.",
    request: { path },
    responses: { 204: z.undefined() },
    errors: {
      ...errors,
      409: { when: "Somebody has checked in", example: occupied({ id: 7, occupied_by: 3 }) },
    },
    etag: entityTag,
    handle: async ({ path: { id }, precondition }, { rooms }) =>
      deleted(await rooms.removeFree(id, precondition), "Room", id),
  }),
];

/** What the repair checks. */
export const stored = { schema: StoredRoom };
