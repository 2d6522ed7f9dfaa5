import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { notFound, orNotFound, validationError } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { limitPageToResponseSize } from "../../lib/http/pagination.ts";
import { JsonText } from "../../lib/http/response.ts";
import { created, deleted, response, routeBuilder } from "../../lib/http/route.ts";
import { ItemsRepository, type ItemText, StoredName, textKey } from "../../lib/repositories/items.ts";
import { tableName } from "../../lib/settings.ts";
import {
  ItemsQuery,
  JsonObject,
  MAX_ITEM_BYTES,
  PaginatedItems,
  StoredObject,
} from "../../lib/validators/item.ts";
import { integerParameter } from "../../lib/validators/parameter.ts";
import { nestingDepth, withMember } from "./json-text.ts";

interface ItemsDependencies {
  readonly items: ItemsRepository;
  /** How long a client may cache an item, in seconds; 0 omits `Cache-Control`. */
  readonly cacheSeconds: number;
}

/** Many clients' JSON parsers are recursive; those of Python and PHP stop between 500 and 1,000 levels. */
const MAX_NESTING = 500;

const area = { tag: "items", errorFormat: "structured" } as const;
const route = routeBuilder<ItemsDependencies>(area);
const path = z.object({ item_id: integerParameter(z.int(), "The item's id") });
const errors = { 404: { when: "No item has this id", example: notFound("Item", 7) } };

/** Its path ends in a slash, so the request may reach the fallback function instead (docs/adr/0001). */
const createItem = routeBuilder<Pick<ItemsDependencies, "items">>(area)("POST /items/", {
  operationId: "createItem",
  summary: "Store any JSON object, and return it as it was sent",
  description:
    "The response has no id: `Location` has it, and the `ETag` is that of the item at that address. Objects may have " +
    "500 levels and 100 KB of JSON text, and a `name` that is text 1,000 characters.",
  request: { body: JsonObject },
  responses: { 201: JsonObject },
  etag: itemTag,
  location: ({ id }: ItemText) => `/items/${id}`,
  dependencies: (client: DynamoDBClient) => ({
    items: new ItemsRepository(client, tableName("items")),
  }),
  handle: async ({ body, bodyText, idempotency }, { items }) => {
    requireBounds(bodyText);
    const creation = await items.create(bodyText, nameOf(body), idempotency);
    return created(creation, new JsonText(bodyText));
  },
});

/** The generic items (specification, "Generic items and paged items"). */
export const routes = [
  createItem,
  route("GET /items", {
    operationId: "listItems",
    summary: "List a page of items",
    description:
      "In id order. `name` is the object's name if that is a string, otherwise empty. If a page exceeds a response, " +
      "`items` has fewer than `size` entries, and `Link` continues after the last of them.",
    request: { query: ItemsQuery },
    responses: { 200: PaginatedItems },
    handle: async ({ query: { page, size }, target, budget }, { items }) => {
      const { records: all, total } = await items.page((page - 1) * size, size, budget());
      const { records, headers } = limitPageToResponseSize(all, { page, size, total }, target, "size");
      return response(200, { items: records, total, page, size, pages: Math.ceil(total / size) }, headers);
    },
  }),
  route("GET /items/{item_id}", {
    operationId: "getItem",
    summary: "Get a stored object, with its id as item_id",
    description:
      "Otherwise the object is exactly what was sent. It may be cached for as long as `Cache-Control` says, so a " +
      "deletion can show late.",
    request: { path },
    responses: { 200: StoredObject },
    errors,
    etag: entityTag,
    handle: async ({ path: { item_id: id } }, { items, cacheSeconds }) => {
      const text = orNotFound(await items.get(id), "Item", id);
      const headers = cacheSeconds > 0 ? { "cache-control": `max-age=${cacheSeconds}` } : {};
      return response(200, withId({ id, text }), headers);
    },
  }),
  route("DELETE /items/{item_id}", {
    operationId: "deleteItem",
    summary: "Delete an item",
    description:
      "Its id is not reused. Cached copies stay valid for as long as their `Cache-Control` allows.",
    request: { path },
    responses: { 204: z.undefined() },
    errors,
    etag: itemTag,
    handle: async ({ path: { item_id: id }, precondition }, { items }) =>
      deleted(await items.remove(id, precondition), "Item", id),
  }),
];

export const stored = { schema: StoredName, partKey: textKey };

function requireBounds(text: string): void {
  if (Buffer.byteLength(text) > MAX_ITEM_BYTES) {
    const message = `Must have at most ${MAX_ITEM_BYTES} bytes of JSON text in UTF-8`;
    throw validationError([{ field: "body", message, type: "too_big" }]);
  }
  if (nestingDepth(text) > MAX_NESTING) {
    const message = `Must have at most ${MAX_NESTING} levels of arrays and objects`;
    throw validationError([{ field: "body", message, type: "too_deep" }]);
  }
}

function nameOf(object: unknown): string {
  const { name } = object as { name?: unknown };
  return typeof name === "string" ? name : "";
}

function withId({ id, text }: ItemText): JsonText {
  return withMember(text, "item_id", id);
}

function itemTag(item: ItemText): string {
  return entityTag(withId(item));
}
