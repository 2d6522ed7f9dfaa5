import type { JsonSchema, Reference } from "./model.ts";

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

const text = { type: "string" } as const;

/** The response headers of the document, by their names in lower case. */
export const headers: Readonly<Record<string, Header>> = {
  allow: { description: "The methods that the path has", schema: text },
  "cache-control": { description: "How long the answer may be kept", schema: text },
  "content-encoding": { description: "How the body is compressed, if it is", schema: text },
  etag: { description: "The record's entity tag, for `If-None-Match` and `If-Match`", schema: text },
  "idempotency-replayed": {
    description: "`true` where the answer is that of an earlier request",
    schema: text,
  },
  link: { description: "The pages around this one, or where the list goes on (RFC 8288)", schema: text },
  location: { description: "Where it is", schema: { ...text, format: "uri-reference" } },
  "retry-after": {
    description: "After how many seconds to try again",
    schema: { type: "integer", minimum: 1 },
  },
  vary: { description: "The request headers that the answer depends on", schema: text },
  "www-authenticate": { description: "The scheme to authenticate with: `Bearer`", schema: text },
  "x-request-id": { description: "What the service's log has of the request", schema: text },
};

/**
 * The headers of a response.
 *
 * @param names in lower case
 * @throws Error when the document says nothing of one of them
 */
export function headersOf(names: readonly string[]): Record<string, Reference> {
  const unknown = names.find((name) => headers[name] === undefined);
  if (unknown !== undefined) throw new Error(`${unknown} is not described in infra/openapi/headers.ts`);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
