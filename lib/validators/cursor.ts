import * as z from "zod";
import { integerParameter, textParameter } from "./parameter.ts";

/** As many records as one answer of a list has at most, where the client says how many. */
const MAX_PAGE_SIZE = 1_000;

/**
 * Where a list goes on: after the record with an id. Clients take it from the `Link` of the answer before; it
 * is a text without a meaning to them.
 *
 * @param id of the last record that the client has
 */
export function cursorAfter(id: number): string {
  return encoded("after", id);
}

/** The same for a list that is ordered by name. */
export function cursorAfterName(name: string): string {
  return encoded("behind", name);
}

/**
 * The same for a list that is put in order anew for each request: it goes on after so many records.
 *
 * @param count all records that the client has
 */
export function cursorPast(count: number): string {
  return encoded("past", count);
}

/** A cursor in a query becomes the id that it stands for. */
const cursor = decoding((text) => numberOf(text, "after"));

const nameCursor = decoding((text) => /^behind (\w{1,50})$/.exec(text)?.[1]);

/** Where a list goes on whose order the request says: after an id where that is the order, else after so many. */
const placeCursor = decoding((text) => {
  const place = { after: numberOf(text, "after"), past: numberOf(text, "past") };
  return place.after === undefined && place.past === undefined ? undefined : place;
});

function encoded(kind: string, value: string | number): string {
  return Buffer.from(`${kind} ${value}`).toString("base64url");
}

/** Accepts the very texts that `encoded` makes. */
function decoding<T>(read: (text: string) => T | undefined) {
  return z.string().transform((given, context) => {
    const text = Buffer.from(given, "base64url").toString("latin1");
    const value = Buffer.from(text, "latin1").toString("base64url") === given ? read(text) : undefined;
    if (value !== undefined) return value;
    const message = "This is no cursor of this list: take it from the Link of the answer before";
    context.issues.push({ code: "invalid_format", format: "cursor", message, input: given });
    return z.NEVER;
  });
}

function numberOf(text: string, kind: string): number | undefined {
  const [, digits] = new RegExp(`^${kind} (0|[1-9]\\d{0,15})$`).exec(text) ?? [];
  return Number.isSafeInteger(Number(digits) + 1) ? Number(digits) : undefined;
}

const CURSOR_DESCRIPTION = "Where the list goes on: from the Link of the answer before";

/** Where a list goes on that the request puts in order, as a parameter. */
export const placeParameter = textParameter(placeCursor.optional()).describe(CURSOR_DESCRIPTION);

/** What any list in id order can be asked. */
export const ListQuery = z.object({
  limit: integerParameter(z.int().min(1).max(MAX_PAGE_SIZE).optional()).describe(
    "So many records at most; as many as one answer holds unless told",
  ),
  cursor: textParameter(cursor.optional()).describe(CURSOR_DESCRIPTION),
});

/** What a list in the order of names can be asked. */
export const NamedListQuery = ListQuery.extend({
  cursor: textParameter(nameCursor.optional()).describe(CURSOR_DESCRIPTION),
});
