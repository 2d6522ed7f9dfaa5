import * as z from "zod/mini";
import { integer } from "./integer.ts";
import { namedObject, withMetadata } from "./metadata.ts";
import { integerParameter } from "./parameter.ts";
import { countCodePoints } from "./text.ts";

/** The bound of an item's JSON text, in bytes of UTF-8. */
export const MAX_ITEM_BYTES = 100 * 1_024;
/** The bound of a name, of which a list has one per item; in Unicode code points. */
const MAX_NAME_LENGTH = 1_000;

/** Any JSON object. It is not copied, so that members of any name survive. */
export const JsonObject = withMetadata(
  z.unknown().check(({ value, issues }) => {
    if (!isObject(value)) {
      issues.push({
        code: "invalid_type",
        expected: "object",
        input: value,
        message: "Must be a JSON object",
      });
    } else if (typeof value.name === "string" && countCodePoints(value.name) > MAX_NAME_LENGTH) {
      issues.push({
        code: "too_big",
        origin: "string",
        maximum: MAX_NAME_LENGTH,
        inclusive: true,
        input: value.name,
        path: ["name"],
      });
    }
  }),
  {
    id: "JsonObject",
    description: `A JSON object of at most ${MAX_ITEM_BYTES} bytes as text in UTF-8; a \`name\` that is text may have ${MAX_NAME_LENGTH} characters`,
    type: "object",
    additionalProperties: true,
  },
);

/** A stored object with its id (specification, "Generic items and paged items"). */
export const StoredObject = withMetadata(
  z.unknown().check(({ value, issues }) => {
    if (!isObject(value) || !Number.isSafeInteger(value.item_id)) {
      issues.push({ code: "invalid_type", expected: "object", input: value });
    }
  }),
  {
    id: "StoredObject",
    type: "object",
    properties: { item_id: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
    required: ["item_id"],
    additionalProperties: true,
  },
);

export const Item = namedObject("Item", { id: integer({ min: 1 }), name: z.string() });
export type Item = z.output<typeof Item>;

export const PaginatedItems = namedObject("PaginatedItems", {
  items: z.array(Item),
  total: integer({ min: 0 }),
  page: integer({ min: 1 }),
  size: integer({ min: 1 }),
  pages: integer({ min: 0 }),
});

export const ItemsQuery = z.object({
  page: integerParameter(z._default(integer({ min: 1 }), 1), "The page number"),
  size: integerParameter(z._default(integer({ min: 1, max: 100 }), 10), "The number of items on a page"),
});

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
