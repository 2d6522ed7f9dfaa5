import * as z from "zod";
import { notFound, validationError } from "../../lib/domain/errors.ts";
import { JsonText, nestingDepth, withMember } from "../../lib/domain/json-text.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { limitPageToResponseSize } from "../../lib/http/pagination.ts";
import { created, response, routeBuilder } from "../../lib/http/route.ts";
import type { ItemsRepository, StoredText } from "../../lib/repositories/items.ts";
import { ItemsQuery, JsonObject, PaginatedItems, StoredObject } from "../../lib/validators/item.ts";
import { integerParameter } from "../../lib/validators/parameter.ts";

/** What creating an item works with; the fallback function does that as well. */
export interface CreateItemDependencies {
  readonly items: ItemsRepository;
}

/** What the item routes work with. */
export interface ItemsDependencies extends CreateItemDependencies {
  /** How long a client may keep an item, in seconds; 0 for not at all. */
  readonly cacheSeconds: number;
}

/** Many clients' JSON parsers use the stack; those of Python and PHP stop between 500 and 1,000 levels. */
const MAX_NESTING = 500;

const shared = { tag: "items", errorFormat: "structured" } as const;
const route = routeBuilder<ItemsDependencies>(shared);
const path = z.object({ item_id: integerParameter(z.int()).describe("The item's id") });
const errors = { 404: { when: "No item has that id", example: notFound("Item", 7) } };

/** Its path ends in a slash, so that the request may reach the fallback function instead of this one. */
export const createItem = routeBuilder<CreateItemDependencies>(shared)("POST /items/", {
  operationId: "createItem",
  summary: "Store any JSON object, which is echoed as it was sent",
  description:
    "The echo lacks the id, which `Location` has; the `ETag` is that of what lies there. An object may have 500 " +
    "levels and, with a copy of its name, 400 KB.",
  body: JsonObject,
  responses: { 201: JsonObject },
  responseHeaders: { 201: ["location"] },
  creates: true,
  etag: entityTag,
  handle: async ({ body, bodyText, idempotency }, { items }) => {
    if (nestingDepth(bodyText) > MAX_NESTING) {
      const message = `Arrays and objects lie within each other more than ${MAX_NESTING} levels deep`;
      throw validationError([{ field: "body", message, type: "too_deep" }]);
    }
    const { record, replayed } = await items.create(bodyText, nameOf(body), idempotency);
    return created(
      new JsonText(bodyText),
      { replayed },
      {
        location: `/items/${record.id}`,
        // Of what is at that address, which the echo is not: it lacks the id.
        etag: `"${itemTag(record)}"`,
      },
    );
  },
});

/** The generic items (specification, "Generic items and paged items"). */
export const itemsRoutes = [
  createItem,
  route("GET /items", {
    operationId: "listItems",
    summary: "List the items' names, a page of them",
    description:
      "In the order of the ids. `name` is that of the object where it is a text, else empty. Where a page is " +
      "longer than one answer can be, `items` has fewer than `size`, and `Link` goes on after the last of them.",
    query: ItemsQuery,
    responses: { 200: PaginatedItems },
    pagedBy: "size",
    handle: async ({ query: { page, size }, target }, { items }) => {
      const { records: all, total } = await items.page((page - 1) * size, size);
      const { records, headers } = limitPageToResponseSize(all, { page, size, total }, target, "size");
      return response(200, { items: records, total, page, size, pages: Math.ceil(total / size) }, headers);
    },
  }),
  route("GET /items/{item_id}", {
    operationId: "getItem",
    summary: "Get a stored object with its id, which takes the place of a member named item_id",
    description:
      "Otherwise the object is what was sent, to the letter. It may be kept for as long as `Cache-Control` says, " +
      "so that a deletion can show late.",
    path,
    responses: { 200: StoredObject },
    responseHeaders: { 200: ["cache-control"] },
    errors,
    etag: entityTag,
    handle: async ({ path: { item_id: id } }, { items, cacheSeconds }) =>
      response(
        200,
        shown({ id, text: found(await items.get(id), id) }),
        cacheSeconds > 0 ? { "cache-control": `max-age=${cacheSeconds}` } : {},
      ),
  }),
  route("DELETE /items/{item_id}", {
    operationId: "deleteItem",
    summary: "Delete an item",
    description:
      "The id is not given to another item. Who keeps a copy for as long as `Cache-Control` allows may see it " +
      "until then.",
    path,
    responses: { 204: z.undefined() },
    errors,
    etag: itemTag,
    handle: async ({ path: { item_id: id }, precondition }, { items }) => {
      found((await items.remove(id, precondition)) || undefined, id);
      return response(204);
    },
  }),
];

/** An object's name where that is a text, else the empty text. */
function nameOf(object: unknown): string {
  const { name } = object as { name?: unknown };
  return typeof name === "string" ? name : "";
}

/** A stored object as it is answered. */
function shown({ id, text }: StoredText): JsonText {
  return withMember(text, "item_id", id);
}

function itemTag(item: StoredText): string {
  return entityTag(shown(item));
}

function found<T>(item: T | undefined, id: number): T {
  if (item === undefined) throw notFound("Item", id);
  return item;
}
