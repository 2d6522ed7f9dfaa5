import { hash } from "node:crypto";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { preconditionFailed } from "../domain/errors.ts";
import { textOf } from "./response.ts";
import type { Route } from "./route.ts";

const TAG_LENGTH = 22;

/** A tag ends with the content coding of the representation (RFC 9110, 8.8.3.3). */
const CODING_SUFFIX = /\.(?:br|gzip)$/;

interface EntityTag {
  readonly isWeak: boolean;
  readonly tag: string;
}

type Headers = Readonly<Record<string, string>>;
type EntityTags = "*" | readonly EntityTag[];

/** The entity tag, without quotes, of a record or a file: a hash, so that the store needs no version. */
export function entityTag(record: unknown, json: string | Uint8Array = textOf(record)): string {
  return hash("sha256", json, "base64url").slice(0, TAG_LENGTH);
}

/**
 * Reads the preconditions of a change (RFC 9110, 13.1, and docs/adr/0009).
 * @returns a check that throws ApiError `PreconditionFailed`; undefined if the record need not be read for it
 */
export function preconditionFrom({ etag, method }: Route, headers: Headers) {
  if (etag === undefined || method === "GET" || method === "POST") return undefined;
  const ifMatch = parseEntityTags(headers["if-match"]);
  const ifNoneMatch = parseEntityTags(headers["if-none-match"]);
  // `*` only requires that the record exists, which the write checks anyway.
  if ((ifMatch === undefined || ifMatch === "*") && !ifNoneMatch?.length) return undefined;
  return (record: never) => {
    const current = etag(record);
    const equal =
      ifMatch === undefined || ifMatch === "*"
        ? []
        : ifMatch.filter(({ tag }) => withoutSuffix(tag) === withoutSuffix(current));
    const isMatch = ifMatch === undefined || ifMatch === "*" || equal.some(({ isWeak }) => !isWeak);
    if (!isMatch || includesWeakly(ifNoneMatch, current))
      throw preconditionFailed(!isMatch && equal.length > 0);
  };
}

/** Turns the result of a GET into a 304 if the client has the representation already (RFC 9110, 13.1.2). */
export function notModified(result: APIGatewayProxyStructuredResultV2, headers: Headers) {
  const tags = headers["if-none-match"];
  if (tags === undefined || result.statusCode !== 200) return result;
  // Caches update the stored headers with these (RFC 9111, 3.2), so the type stays.
  const { etag = "", "content-encoding": _, ...others } = result.headers ?? {};
  const [current] = parseTagList(String(etag));
  if (current === undefined || !includesWeakly(parseEntityTags(tags), current.tag)) return result;
  return { statusCode: 304, headers: { etag, ...others } };
}

/** Parses a list of entity tags (RFC 9110, 8.8.3). An invalid header has none. */
export function parseEntityTags(header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined;
  return header.trim() === "*" ? "*" : parseTagList(header);
}

function parseTagList(header: string): EntityTag[] {
  const tags: EntityTag[] = [];
  const element = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;
  while (element.lastIndex < header.length) {
    const match = element.exec(header);
    if (match === null) return [];
    if (match[2] !== undefined) tags.push({ isWeak: match[1] !== undefined, tag: match[2] });
  }
  return tags;
}

function includesWeakly(tags: EntityTags | undefined, current: string): boolean {
  if (tags === undefined || tags === "*") return tags === "*";
  return tags.some(({ tag }) => tag.replace(CODING_SUFFIX, "") === current.replace(CODING_SUFFIX, ""));
}

function withoutSuffix(tag: string): string {
  return tag.replace(/\..*/s, "");
}
