import * as z from "zod/mini";
import { preconditionFailed } from "../domain/errors.ts";
import { IDEMPOTENCY_KEY_HEADER } from "../domain/idempotency.ts";
import { withMetadata } from "../validators/metadata.ts";
import { IdempotencyKey } from "./idempotency.ts";
import { paginationOf } from "./pagination.ts";
import { type DeclaredError, type DeclaredErrors, isCreation, type Route } from "./route.ts";

/** Derives headers, in lower case, and errors from a declaration, for the documentation and the tests. */
export function protocolOf(route: Route) {
  const { method, etag, location } = route;
  const isRead = method === "GET";
  const isChange = method !== "GET" && method !== "POST";
  const { byCursor, byPage } = paginationOf(route);
  const tags = (text: string, example: string) =>
    withMetadata(z.string(), { description: `Entity tags: ${text}`, examples: [example] });
  return {
    requestHeaders: {
      ...(etag && isRead && { "if-none-match": tags("304 if the record still has one of them", '"1"') }),
      ...(etag && isChange && { "if-match": tags("412 unless the record still has one of them", "*") }),
      ...(isCreation(route) && { [IDEMPOTENCY_KEY_HEADER]: IdempotencyKey }),
    } as Readonly<Record<string, z.ZodMiniType>>,
    responseHeaders: [
      ...(etag && method !== "DELETE" ? ["etag"] : []),
      ...(location ? ["location"] : []),
      "cache-control",
    ],
    possibleHeaders: [
      ...(byCursor || byPage ? ["link"] : []),
      ...(isCreation(route) ? ["idempotency-replayed"] : []),
    ],
    canBeNotModified: etag !== undefined && isRead,
    errors: {
      ...(etag &&
        isChange && { 412: { when: "The record does not match `If-Match`", example: preconditionFailed() } }),
    } as DeclaredErrors,
  };
}

/** The errors of a route: its own, those of its declaration, its authorizer's and its guard's. */
export function declaredErrors(route: Route): [number, DeclaredError][] {
  return [route.errors, protocolOf(route).errors, route.authorizer?.errors, route.guard?.errors].flatMap(
    (errors = {}) =>
      Object.entries(errors).map(([status, error]): [number, DeclaredError] => [Number(status), error]),
  );
}
