import * as z from "zod/mini";
import { cursorParameter, decoding, encode, ListQuery } from "./cursor.ts";

/** How a list in the order of a text continues, such as the time when something begins. */
export function byText<F extends string>(field: F) {
  return {
    cursorAfter: ([text, id]: readonly [string, number]) => encode("text", `${id} ${text}`),
    positionOf: (
      record: { readonly id: number } & { readonly [K in F]: string },
    ): readonly [string, number] => [record[field], record.id],
  };
}

const textCursor = decoding((cursor): readonly [string, number] | undefined => {
  const [, id = "", text = ""] = /^text ([1-9]\d{0,14}) (.{1,256})$/s.exec(cursor) ?? [];
  return text === "" ? undefined : [text, Number(id)];
});

export const TextListQuery = z.extend(ListQuery, {
  cursor: cursorParameter(textCursor, byText("text").cursorAfter(["2026-05-04T09:30:00.000Z", 1])),
});
