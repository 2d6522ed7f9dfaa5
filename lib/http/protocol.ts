import * as z from "zod";
import { preconditionFailed } from "../domain/errors.ts";
import { IDEMPOTENCY_KEY_HEADER } from "../domain/idempotency.ts";
import { IdempotencyKey } from "./idempotency.ts";
import type { DeclaredError, DeclaredErrors, Route } from "./route.ts";

/** What a declaration brings along beside what it lists: for the documentation, and for holding answers to it. */
export interface Protocol {
  /** Request headers that it heeds: name in lower case → what it may be. All of them may be absent. */
  readonly requestHeaders: Readonly<Record<string, z.ZodType>>;
  /** Headers that its successes carry: name in lower case → what it says. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Headers that some of its successes carry. */
  readonly possibleHeaders: Readonly<Record<string, string>>;
  /** Whether a read can be answered with 304, without a body. */
  readonly canBeNotModified: boolean;
  readonly errors: DeclaredErrors;
}

/**
 * The headers and statuses that come with the parts of a declaration.
 *
 * @param route the declaration
 */
export function protocolOf({ method, etag, creates, pagedBy, goesOn }: Route<never>): Protocol {
  const isRead = method === "GET";
  const isChange = method !== "GET" && method !== "POST";
  const tags = (text: string) => z.string().describe(`Entity tags: ${text}`);
  return {
    requestHeaders: {
      ...(etag && isRead && { "if-none-match": tags("304 if the record still has one of them") }),
      ...(etag && isChange && { "if-match": tags("412 unless the record still has one of them") }),
      ...(creates && {
        [IDEMPOTENCY_KEY_HEADER]: IdempotencyKey.describe(
          "The creation happens once a day under it: the same request is answered as before, another one is refused",
        ),
      }),
    },
    responseHeaders: {
      ...(etag && method !== "DELETE" && { etag: "The record's entity tag" }),
    },
    possibleHeaders: {
      ...(pagedBy && { link: "Of a page: the next, previous, first and last one (RFC 8288)" }),
      ...(goesOn && !pagedBy && { link: "Where the list goes on, if it does: the relation next (RFC 8288)" }),
      ...(creates && { "idempotency-replayed": "true where the answer is that of an earlier request" }),
    },
    canBeNotModified: etag !== undefined && isRead,
    errors: {
      ...(etag &&
        isChange && {
          412: { when: "The record is not the one that If-Match names", example: preconditionFailed() },
        }),
    },
  };
}

/**
 * The failures of a route: its own, those of its protocol, its authorizer's.
 *
 * @param route the declaration
 * @returns status and failure; a status can come more than once
 */
export function declaredErrors(route: Route<never>): [number, DeclaredError][] {
  return [route.errors, protocolOf(route).errors, route.authorizer?.errors].flatMap((failures = {}) =>
    Object.entries(failures).map(([status, failure]): [number, DeclaredError] => [Number(status), failure]),
  );
}
