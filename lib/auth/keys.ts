import { createHash, timingSafeEqual } from "node:crypto";
import { ApiError } from "../domain/errors.ts";
import type { Authorizer } from "../http/route.ts";
import type { SecretValues } from "./secrets.ts";

/** What the static-key scheme works with. */
export interface ApiKeyAuthDependencies {
  /** The keys that are valid now. */
  readonly keys: SecretValues;
}

/**
 * Lets in who sends one of the configured keys in `x-api-key` (specification, "Scheme 1: static key"). A key
 * that is not known is looked for once more among the keys as they are now, so that a new one works at once.
 */
export const apiKey: Authorizer<ApiKeyAuthDependencies, undefined> = {
  scheme: "apiKey",
  errors: { 401: { when: "The key is missing or not valid", example: noKey() } },
  authorize: async ({ "x-api-key": key }, { keys }) => {
    if (key && (isOneOf(await keys(), key) || isOneOf(await keys("fresh"), key))) return undefined;
    throw noKey();
  },
};

function noKey(): ApiError {
  return new ApiError("Unauthorized", "A valid key is needed in the header X-API-Key");
}

/**
 * Looks for a key. What it takes tells nothing of the keys: digests are compared, which are all of one length,
 * each in constant time, and every one of them whatever the others gave.
 */
function isOneOf(keys: readonly string[], key: string): boolean {
  const wanted = digest(key);
  return keys.map((each) => timingSafeEqual(digest(each), wanted)).includes(true);
}

function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
