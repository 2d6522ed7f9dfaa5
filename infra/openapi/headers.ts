import type { JsonSchema, Reference } from "./model.ts";

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

const text = { type: "string" } as const;

/** The response headers of the document, by lower-case name. */
export const headers: Readonly<Record<string, Header>> = {
  allow: { description: "The methods that the path supports", schema: text },
  "cache-control": { description: "How long the response may be cached", schema: text },
  "content-encoding": { description: "The compression of the body, if any", schema: text },
  etag: { description: "The record's entity tag, for `If-None-Match` and `If-Match`", schema: text },
  "idempotency-replayed": {
    description: "`true` if this is the response of an earlier request with the same key",
    schema: text,
  },
  link: {
    description:
      "Links to other pages of the list (RFC 8288). A list can end early, even without a record: it continues at `next`",
    schema: text,
  },
  location: {
    description: "The URL of the created record or the redirect",
    schema: { ...text, format: "uri-reference" },
  },
  "retry-after": {
    description: "The number of seconds to wait before the next attempt",
    schema: { type: "integer", minimum: 1 },
  },
  vary: { description: "The request headers that the response depends on", schema: text },
  "www-authenticate": {
    description: "The required authentication scheme: `Bearer`, or `ApiKey` for a key in `X-API-Key`",
    schema: text,
  },
  "x-request-id": { description: "Identifies the request in the service's log", schema: text },
};

/**
 * References to the headers of a response.
 *
 * @param names in lower case
 * @throws Error when a header has no description
 */
export function headerReferences(names: readonly string[]): Record<string, Reference> {
  const unknown = names.find((name) => headers[name] === undefined);
  if (unknown !== undefined)
    throw new Error(`The header ${unknown} has no description: add one to infra/openapi/headers.ts`);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
