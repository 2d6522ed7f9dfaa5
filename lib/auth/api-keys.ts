import { createHash, timingSafeEqual } from "node:crypto";
import { ApiError } from "../domain/errors.ts";
import type { Authorizer } from "../http/route.ts";
import type { SecretValues } from "./secrets.ts";

export interface ApiKeyAuthDependencies {
  readonly keys: SecretValues;
}

/** Accepts a configured key in `x-api-key` (specification, "Scheme 1: static key"), a new one at once. */
export const apiKey: Authorizer<ApiKeyAuthDependencies, undefined> = {
  scheme: "apiKey",
  errors: { 401: { when: "The key is missing or invalid", example: invalidApiKey() } },
  authorize: async ({ "x-api-key": key }, { keys }) => {
    if (key && (includesKey(await keys(), key) || includesKey(await keys("fresh"), key))) return undefined;
    throw invalidApiKey();
  },
};

export function invalidApiKey(): ApiError {
  return new ApiError("Unauthorized", "Missing or invalid X-API-Key header", {
    // Every 401 needs a challenge (RFC 9110, 15.5.2), and no registered scheme is a key in a header.
    headers: { "www-authenticate": 'ApiKey realm="api", header="X-API-Key"' },
  });
}

/** In constant time. Digests have equal lengths. */
function includesKey(keys: readonly string[], key: string): boolean {
  const given = digest(key);
  return keys.map((each) => timingSafeEqual(digest(each), given)).includes(true);
}

function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
