import { createHmac } from "node:crypto";
import * as z from "zod/mini";
import type { FieldError } from "../domain/errors.ts";
import { IDEMPOTENCY_KEY_HEADER, type IdempotencyContext } from "../domain/idempotency.ts";
import { withMetadata } from "../validators/metadata.ts";
import { type RawRequest, toParameterLists } from "./request.ts";
import type { Route } from "./route.ts";

/** The value of `Idempotency-Key`: 1 to 255 printable ASCII characters (docs/adr/0010). */
export const IdempotencyKey = withMetadata(
  z.string().check(z.minLength(1), z.maxLength(255), z.regex(/^[ -~]+$/)),
  { description: "Safe to retry for 24 hours with the same key; another request with the key is refused" },
);

/** The key, with or without quotation marks, with which the IETF's draft of the header writes it. */
function idempotencyKey(headers: Readonly<Record<string, string>>): string | undefined {
  const header = headers[IDEMPOTENCY_KEY_HEADER];
  return /^"(.*)"$/.exec(header ?? "")?.[1]?.replace(/\\([\\"])/g, "$1") ?? header;
}

/** @returns undefined if there is no key or it is valid */
export function validateIdempotencyKey(headers: Readonly<Record<string, string>>): FieldError | undefined {
  const key = idempotencyKey(headers);
  if (key === undefined || IdempotencyKey.safeParse(key).success) return undefined;
  const message = "Must have 1 to 255 printable ASCII characters";
  return { field: `headers.${IDEMPOTENCY_KEY_HEADER}`, message, type: "invalid_format" };
}

/**
 * Reads what makes a request idempotent.
 *
 * The request is hashed with the key as the HMAC key: a plain hash would let a reader of the table guess short bodies.
 * Secrets in the body are left out: otherwise a password could be tried without limit, since a wrong one would be
 * another request.
 *
 * @returns undefined if the client sent no key
 */
export function idempotencyContext(
  route: Route,
  path: Readonly<Record<string, string>>,
  request: RawRequest,
  caller: unknown,
  validBody: unknown,
): IdempotencyContext | undefined {
  const key = idempotencyKey(request.headers);
  if (key === undefined) return undefined;
  const head = [route.method, route.pattern, path, toParameterLists(request.target.query), caller ?? null];
  const hmac = createHmac("sha256", key).update(JSON.stringify(head)).update("\n");
  const { secretFields } = route;
  // The declared fields only: `JSON.stringify` throws if others are nested too deeply.
  const body = secretFields
    ? JSON.stringify(validBody, (name, value) => (secretFields.includes(name) ? undefined : value))
    : request.body;
  return { key, requestHash: hmac.update(body ?? "").digest("base64url"), receivedAt: request.time };
}
