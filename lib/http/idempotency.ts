import { createHmac } from "node:crypto";
import * as z from "zod";
import type { FieldError } from "../domain/errors.ts";
import { IDEMPOTENCY_KEY_HEADER, type IdempotencyContext } from "../domain/idempotency.ts";
import type { RawRequest } from "./request.ts";
import type { Route } from "./route.ts";

/** 1 to 255 printable ASCII characters (docs/adr/0010). */
export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[ -~]+$/);

/**
 * What is wrong with the key of a request that creates something, if it has one.
 *
 * @param headers the request's, names in lower case
 */
export function validateIdempotencyKey(headers: Readonly<Record<string, string>>): FieldError | undefined {
  const key = headers[IDEMPOTENCY_KEY_HEADER];
  if (key === undefined || IdempotencyKey.safeParse(key).success) return undefined;
  const message = "A key is 1 to 255 printable ASCII characters";
  return { field: `headers.${IDEMPOTENCY_KEY_HEADER}`, message, type: "invalid_format" };
}

/**
 * What makes a request with an `Idempotency-Key` one that is answered once.
 *
 * The request is remembered as a hash under the key, not as a plain one: a registration has a password in it,
 * which a plain hash would let somebody guess faster than the password's own.
 *
 * @param route the declaration; only one that creates takes a key
 * @param path the placeholders' values
 * @param request a valid request
 * @param caller whom the route's authorizer let in
 * @returns undefined where there is no key
 */
export function idempotencyContext(
  route: Route<never>,
  path: Readonly<Record<string, string>>,
  request: RawRequest,
  caller: unknown,
): IdempotencyContext | undefined {
  const key = request.headers[IDEMPOTENCY_KEY_HEADER];
  if (!route.creates || key === undefined) return undefined;
  const head = [route.method, route.pattern, path, request.query, caller ?? null];
  const hmac = createHmac("sha256", key).update(JSON.stringify(head)).update("\n");
  return {
    key,
    requestHash: hmac.update(request.body ?? "").digest("base64url"),
    receivedAt: request.time,
  };
}
