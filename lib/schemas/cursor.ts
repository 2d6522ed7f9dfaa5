import * as z from "zod";
import { integerParameter, textParameter } from "./parameter.ts";

/** As many records as one answer of a list has at most, where the client says how many. */
const MOST_RECORDS = 1_000;

/**
 * Where a list goes on: after the record with an id. Clients take it from the `Link` of the answer before; it
 * is a text without a meaning to them.
 *
 * @param id of the last record that the client has
 */
export function cursorAfter(id: number): string {
  return Buffer.from(`after ${id}`).toString("base64url");
}

const noCursor = {
  code: "invalid_format",
  format: "cursor",
  message: "This is no cursor of this list: take it from the Link of the answer before",
} as const;

/** The same for a list that is ordered by name. */
export function cursorAfterName(name: string): string {
  return Buffer.from(`behind ${name}`).toString("base64url");
}

/** A cursor in a query becomes the id that it stands for. */
const cursor = z.string().transform((text, context) => {
  const [, id] = /^after (0|[1-9]\d{0,15})$/.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (id !== undefined && Number.isSafeInteger(Number(id) + 1) && cursorAfter(Number(id)) === text)
    return Number(id);
  context.issues.push({ ...noCursor, input: text });
  return z.NEVER;
});

const nameCursor = z.string().transform((text, context) => {
  const [, name] = /^behind (\w{1,50})$/.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  if (name !== undefined && cursorAfterName(name) === text) return name;
  context.issues.push({ ...noCursor, input: text });
  return z.NEVER;
});

/** Where a list goes on, as a parameter. */
export const cursorParameter = textParameter(cursor.optional()).describe(
  "Where the list goes on: from the Link of the answer before",
);

/** What any list in id order can be asked. */
export const ListQuery = z.object({
  limit: integerParameter(z.int().min(1).max(MOST_RECORDS).optional()).describe(
    "So many records at most; as many as one answer holds unless told",
  ),
  cursor: cursorParameter,
});

/** What a list in the order of names can be asked. */
export const NamedListQuery = ListQuery.extend({
  cursor: textParameter(nameCursor.optional()).describe(
    "Where the list goes on: from the Link of the answer before",
  ),
});
