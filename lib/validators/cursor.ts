import * as z from "zod/mini";
import { integer } from "./integer.ts";
import { integerParameter, textParameter } from "./parameter.ts";

const MAX_LIMIT = 1_000;

/** How a list in id order continues. Cursors are opaque to clients. */
export const byId = {
  cursorAfter: (id: number) => encode("after", id),
  positionOf: ({ id }: { readonly id: number }) => id,
};

/** How a list in the order of usernames continues. */
export const byUsername = {
  cursorAfter: (username: string) => encode("username", username),
  positionOf: ({ username }: { readonly username: string }) => username,
};

/** How a list continues that is sorted for each request, of which `offset` records came before. */
export function byCount(offset: number) {
  return {
    cursorAfter: (count: number) => encode("count", count),
    positionOf: (_: unknown, count: number) => offset + count,
  };
}

const idCursor = decoding((text) => parseNumber(text, "after"));

const usernameCursor = decoding((text) => /^username (\w{1,50})$/.exec(text)?.[1]);

/** The position in a list that is in id order or sorted, depending on the request. */
const positionCursor = decoding((text) => {
  const position = { afterId: parseNumber(text, "after"), afterCount: parseNumber(text, "count") };
  return position.afterId === undefined && position.afterCount === undefined ? undefined : position;
});

export function encode(kind: string, value: string | number): string {
  return Buffer.from(`${kind} ${value}`).toString("base64url");
}

/** Accepts exactly the texts that `encode` makes. */
export function decoding<T>(parse: (text: string) => T | undefined) {
  const decode = z.transform((cursor: string, context) => {
    const text = Buffer.from(cursor, "base64url").toString();
    const isCanonical = Buffer.from(text).toString("base64url") === cursor;
    const position = isCanonical ? parse(text) : undefined;
    if (position !== undefined) return position;
    const message = "Invalid cursor; use the one from the previous response's `Link` header";
    context.issues.push({ code: "invalid_format", format: "cursor", message, input: cursor });
    return z.NEVER;
  });
  return z.pipe(z.string(), decode);
}

function parseNumber(text: string, kind: string): number | undefined {
  const [, digits] = new RegExp(`^${kind} (0|[1-9]\\d{0,15})$`).exec(text) ?? [];
  return Number.isSafeInteger(Number(digits) + 1) ? Number(digits) : undefined;
}

export function cursorParameter<S extends z.ZodMiniType>(cursor: S, example: string) {
  const description = "Where to continue: from the previous response's `Link` header";
  return textParameter(z.optional(cursor), description, example);
}

/** The cursor parameter of a list whose order depends on the request. */
export const positionParameter = cursorParameter(positionCursor, byId.cursorAfter(1));

export const ListQuery = z.object({
  limit: integerParameter(
    z.optional(integer({ min: 1, max: MAX_LIMIT })),
    "The maximum number of records; by default as many as fit into a response",
  ),
  cursor: cursorParameter(idCursor, byId.cursorAfter(1)),
});

export const AccountListQuery = z.extend(ListQuery, {
  cursor: cursorParameter(usernameCursor, byUsername.cursorAfter("ada")),
});
