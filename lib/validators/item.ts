import * as z from "zod";
import { integerParameter } from "./parameter.ts";

/** Any JSON object. It is not copied, so that members of any name survive. */
export const JsonObject = z
  .unknown()
  .check(({ value, issues }) => {
    if (!isObject(value)) {
      issues.push({
        code: "invalid_type",
        expected: "object",
        input: value,
        message: "Must be a JSON object",
      });
    }
  })
  .meta({ id: "JsonObject", type: "object", additionalProperties: true });

/** A stored object with its id (specification, "Generic items and paged items"). */
export const StoredObject = z
  .unknown()
  .check(({ value, issues }) => {
    if (!isObject(value) || !Number.isSafeInteger(value.item_id)) {
      issues.push({ code: "invalid_type", expected: "object", input: value });
    }
  })
  .meta({
    id: "StoredObject",
    type: "object",
    properties: { item_id: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
    required: ["item_id"],
    additionalProperties: true,
  });

/** Item (specification, "Item and paged response"). */
export const Item = z.object({ id: z.int().min(1), name: z.string() }).meta({ id: "Item" });
export type Item = z.output<typeof Item>;

/** PaginatedResponse<Item>. */
export const PaginatedItems = z
  .object({
    items: z.array(Item),
    total: z.int().min(0),
    page: z.int().min(1),
    size: z.int().min(1),
    pages: z.int().min(0),
  })
  .meta({ id: "PaginatedItems" });

/** The query of `GET /items`. */
export const ItemsQuery = z.object({
  page: integerParameter(z.int().min(1).default(1)).describe("The page number"),
  size: integerParameter(z.int().min(1).max(100).default(10)).describe("The number of items on a page"),
});

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
