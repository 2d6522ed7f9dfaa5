import type { JsonSchema, Reference } from "./model.ts";

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

export const headers: Readonly<Record<string, Header>> = {
  "accept-encoding": text(
    "The content codings that a request may have: only `identity`, which is uncompressed",
  ),
  allow: text("The methods that the path supports"),
  "cache-control": text("What caches may do with the response (RFC 9111)"),
  "content-encoding": text("The compression of the body, if any"),
  etag: text("The record's entity tag, for `If-None-Match` and `If-Match`"),
  "idempotency-replayed": text("`true` if this is the response of an earlier request with the same key"),
  link: text(
    "Links to other pages of the list (RFC 8288). A page can be short or empty although the list continues at `next`",
  ),
  location: {
    description: "The URL of the created record or the redirect",
    schema: { type: "string", format: "uri-reference" },
  },
  "retry-after": {
    description: "The number of seconds to wait before the next attempt",
    schema: { type: "integer", minimum: 1 },
  },
  vary: text("The request headers that the response depends on"),
  "www-authenticate": text(
    "The required authentication scheme: `Bearer`, or `ApiKey` for a key in `X-API-Key`",
  ),
  "x-request-id": text("Identifies the request in the service's log"),
};

/** @throws Error when a header has no description */
export function headerReferences(names: readonly string[]): Record<string, Reference> {
  const unknown = names.find((name) => headers[name] === undefined);
  if (unknown !== undefined)
    throw new Error(`The header ${unknown} has no description: add one to infra/openapi/headers.ts`);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function text(description: string): Header {
  return { description, schema: { type: "string" } };
}
