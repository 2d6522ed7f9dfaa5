import { hash } from "node:crypto";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { preconditionFailed } from "../domain/errors.ts";
import { JsonText } from "../domain/json-text.ts";
import type { Route } from "./route.ts";

/** 132 bits: two representations never share them by chance. */
const TAG_LENGTH = 22;

/** The content coding that a representation was sent in is the last part of its tag (RFC 9110, 8.8.3.3). */
const CODING = /\.(?:br|gzip)$/;

/** The tags of a header, or any. */
type Tags = "*" | readonly EntityTag[];

interface EntityTag {
  readonly isWeak: boolean;
  readonly tag: string;
}

/**
 * The entity tag of a record: a hash of what it looks like, so that it needs no version in the store.
 *
 * @param record a JSON value, or a `JsonText`
 * @returns the tag without its quotes; it has no dot
 */
export function entityTag(record: unknown): string {
  const text = record instanceof JsonText ? record.text : JSON.stringify(record);
  return hash("sha256", text, "base64url").slice(0, TAG_LENGTH);
}

/**
 * What the preconditions of a request ask of the record that it is about to change (RFC 9110, 13.1).
 *
 * Of a tag with a dot, `If-Match` compares what stands before it: the rest tells apart what readers see, but is
 * no edit (docs/adr/0009).
 *
 * @param route the declaration
 * @param headers the request's, names in lower case
 * @returns a function that throws ApiError `PreconditionFailed` for a record that is not the one meant;
 *   undefined where the request asks nothing, so that nothing has to be read for it
 */
export function preconditionFrom(
  { etag, method }: Route<never>,
  headers: Readonly<Record<string, string>>,
): ((record: never) => void) | undefined {
  if (etag === undefined || method === "GET" || method === "POST") return undefined;
  const match = parseEntityTags(headers["if-match"]);
  const noneMatch = parseEntityTags(headers["if-none-match"]);
  // Any record will do, and one there has to be anyway.
  if ((match === undefined || match === "*") && !noneMatch?.length) return undefined;
  return (record) => {
    const current = etag(record);
    const isMeant =
      match === undefined ||
      match === "*" ||
      match.some(({ isWeak, tag }) => !isWeak && editOf(tag) === editOf(current));
    if (!isMeant || includes(noneMatch, current)) throw preconditionFailed();
  };
}

/**
 * Takes the body from the answer to a read whose client has it already (RFC 9110, 13.1.2 and 15.4.5). The coding
 * that it came in makes no difference.
 *
 * @param result the answer to a GET, as it would be sent
 * @param headers the request's, names in lower case
 * @returns a 304 without body, or the same answer
 */
export function notModified(
  result: APIGatewayProxyStructuredResultV2,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyStructuredResultV2 {
  const { etag, ...others } = result.headers ?? {};
  const [current] = typeof etag === "string" ? etagsIn(etag) : [];
  if (etag === undefined || current === undefined || result.statusCode !== 200) return result;
  if (!includes(parseEntityTags(headers["if-none-match"]), current.tag)) return result;
  const ofBody = ["content-type", "content-encoding"];
  const kept = Object.entries(others).filter(([name]) => !ofBody.includes(name));
  return { statusCode: 304, headers: { etag, ...Object.fromEntries(kept) } };
}

/** Compares weakly. */
function includes(tags: Tags | undefined, current: string): boolean {
  if (tags === undefined || tags === "*") return tags === "*";
  return tags.some(({ tag }) => tag.replace(CODING, "") === current.replace(CODING, ""));
}

function editOf(tag: string): string {
  return tag.replace(/\..*/s, "");
}

/**
 * Reads a list of entity tags (RFC 9110, 8.8.3 and 13.1).
 *
 * @param header undefined where there is none
 * @returns no tags for what is no such list: it names nothing
 */
export function parseEntityTags(header: string | undefined): Tags | undefined {
  if (header === undefined) return undefined;
  return header.trim() === "*" ? "*" : etagsIn(header);
}

function etagsIn(header: string): EntityTag[] {
  const tags: EntityTag[] = [];
  const element = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;
  while (element.lastIndex < header.length) {
    const found = element.exec(header);
    if (found === null) return [];
    if (found[2] !== undefined) tags.push({ isWeak: found[1] !== undefined, tag: found[2] });
  }
  return tags;
}
