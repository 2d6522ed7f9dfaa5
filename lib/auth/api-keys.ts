import { createHash, timingSafeEqual } from "node:crypto";
import { ApiError } from "../domain/errors.ts";
import type { Authorizer } from "../http/route.ts";
import { identify } from "../log/who.ts";
import { NAMED_KEY } from "./named-key.ts";
import type { SecretValues } from "./secrets.ts";

export interface ApiKeyAuthDependencies {
  readonly keys: SecretValues;
}

/** Accepts a configured key in `x-api-key` (specification, "Scheme 1: static key"), a new one at once. */
export const apiKey: Authorizer<ApiKeyAuthDependencies, undefined> = {
  scheme: "apiKey",
  errors: { 401: { when: "The key is missing or invalid", example: invalidApiKey() } },
  authorize: async (headers, { keys }) => {
    const { "x-api-key": key } = headers;
    const found = key && (findKey(await keys(), key) ?? findKey(await keys("fresh"), key));
    if (!found) throw invalidApiKey();
    identify(headers, `key:${found.name}`);
    return undefined;
  },
};

/** Of the secret's list: a key, or `name:key`. */
export function parseApiKey(entry: string) {
  const { name, key = entry } = NAMED_KEY.exec(entry)?.groups ?? {};
  return { name, key, id: digest(key).toString("hex").slice(0, 8), entry };
}

export function invalidApiKey(): ApiError {
  return new ApiError("Unauthorized", "Missing or invalid X-API-Key header", {
    // Every 401 needs a challenge (RFC 9110, 15.5.2), and no registered scheme is a key in a header.
    headers: { "www-authenticate": 'ApiKey realm="api", header="X-API-Key"' },
  });
}

/** In constant time. Digests have equal lengths. */
function findKey(entries: readonly string[], key: string): { readonly name: string } | undefined {
  const given = digest(key);
  const keys = entries.map(parseApiKey);
  const found = keys[keys.map((each) => timingSafeEqual(digest(each.key), given)).indexOf(true)];
  return found && { name: found.name ?? found.id };
}

function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
