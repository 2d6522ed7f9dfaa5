import { createHmac } from "node:crypto";
import * as z from "zod/mini";
import type { FieldError } from "../domain/errors.ts";
import { IDEMPOTENCY_KEY_HEADER, type IdempotencyContext } from "../domain/idempotency.ts";
import { withMetadata } from "../validators/metadata.ts";
import { type RawRequest, toParameterLists } from "./request.ts";
import type { Route } from "./route.ts";

/** The value of `Idempotency-Key` (docs/adr/0010). */
export const IdempotencyKey = withMetadata(
  z.string().check(z.minLength(1), z.maxLength(255), z.regex(/^[ -~]+$/)),
  {
    description:
      "Safe to retry for 24 hours with the same key; another request with the key is refused. Put a key that contains commas in double quotes",
  },
);

/** Reads the key, quoted if it has commas, as two joined headers have. An invalid one adds to `errors`. */
export function readIdempotencyKey(header: string, errors: FieldError[]): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(header)?.[1];
  const key = quoted?.replace(/\\([\\"])/g, "$1") ?? header;
  const isOne = quoted !== undefined || !header.includes(",");
  const message = isOne
    ? "Must have 1 to 255 printable ASCII characters"
    : "Must be one key; put a key that contains commas in double quotes";
  if (!isOne || !IdempotencyKey.safeParse(key).success)
    errors.push({ field: `headers.${IDEMPOTENCY_KEY_HEADER}`, message, type: "invalid_format" });
  return key;
}

/** The hash is keyed, so that nobody can guess a short body from it, and leaves out secrets. */
export function idempotencyContext(
  key: string,
  route: Route,
  path: Readonly<Record<string, string>>,
  request: RawRequest,
  caller: unknown,
  validBody: unknown,
  scope?: string,
): IdempotencyContext {
  const query = toParameterLists(new URLSearchParams(request.rawQuery));
  const head = [route.method, route.pattern, path, query, caller ?? null];
  const hmac = createHmac("sha256", key).update(JSON.stringify(head)).update("\n");
  const { secretFields } = route;
  // The declared fields only: `JSON.stringify` throws if others are nested too deeply.
  const body = secretFields
    ? JSON.stringify(validBody, (name, value) => (secretFields.includes(name) ? undefined : value))
    : request.body;
  return { key, scope, requestHash: hmac.update(body ?? "").digest("base64url"), receivedAt: request.time };
}
