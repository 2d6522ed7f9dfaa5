import { KEY_HEADER } from "../once.ts";
import type { FailureStatus } from "./failures.ts";
import type { Route } from "./route.ts";

/** What a declaration brings along beside what it lists: for the documentation, and for holding answers to it. */
export interface Protocol {
  /** Request headers that it heeds: name in lower case → what it does. All of them may be absent. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Headers that its successes carry: name in lower case → what it says. */
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** Headers that some of its successes carry. */
  readonly possibleHeaders: Readonly<Record<string, string>>;
  /** Whether a read can be answered with 304, without a body. */
  readonly canBeNotModified: boolean;
  readonly failures: { readonly [S in FailureStatus]?: string };
}

/**
 * The headers and statuses that come with the parts of a declaration.
 *
 * @param route the declaration
 */
export function protocolOf({ method, etag, creates, pagedBy, goesOn }: Route<never>): Protocol {
  const isRead = method === "GET";
  const isChange = method !== "GET" && method !== "POST";
  return {
    requestHeaders: {
      ...(etag && isRead && { "if-none-match": "Entity tags: 304 if the record still has one of them" }),
      ...(etag && isChange && { "if-match": "Entity tags: 412 unless the record still has one of them" }),
      ...(creates && {
        [KEY_HEADER]: "1 to 255 printable ASCII characters: the creation happens once a day under it",
      }),
    },
    answerHeaders: {
      ...(etag && method !== "DELETE" && { etag: "The record's entity tag" }),
    },
    possibleHeaders: {
      ...(pagedBy && { link: "Of a page: the next, previous, first and last one (RFC 8288)" }),
      ...(goesOn && !pagedBy && { link: "Where the list goes on, if it does: the relation next (RFC 8288)" }),
      ...(creates && { "idempotency-replayed": "true where the answer is that of an earlier request" }),
    },
    canBeNotModified: etag !== undefined && isRead,
    failures: {
      ...(creates && { 409: "An earlier request with the idempotency key is still being processed" }),
      ...(etag && isChange && { 412: "The record is not the one that If-Match names" }),
    },
  };
}
