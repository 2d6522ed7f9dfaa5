import * as z from "zod";
import type { RequestTarget } from "./request.ts";
import { HEAD_BYTES, MAX_PAYLOAD_BYTES } from "./response.ts";
import type { Route } from "./route.ts";

/** The size limit of the body of a response including its escapes. */
const MAX_RESPONSE_BYTES = MAX_PAYLOAD_BYTES - HEAD_BYTES;

/** A part of the 10,240 bytes that all headers of a response may have together. */
const MAX_LINK_HEADER_BYTES = 8_000;

/** The parameter that carries the size of a page. */
type SizeParameter = "limit" | "size";

/** Which page of a list, and how long the list is. */
export interface PagePosition {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  /** How many records the list has. */
  readonly total: number;
}

/** Some records of a list with the headers that link to others. */
interface LinkedRecords<T> {
  readonly records: T[];
  readonly headers: Readonly<Record<string, string>>;
}

/** How a route's list is paginated, as the parameters of its query say. */
export function paginationOf({ request: { query } }: Route): {
  readonly byCursor: boolean;
  readonly byPage: boolean;
} {
  const parameters = query instanceof z.ZodObject ? query.shape : {};
  return { byCursor: "cursor" in parameters, byPage: "page" in parameters };
}

/**
 * Cuts a list after the last record that fits into a response, and links to the rest. The size before compression
 * counts, so that a list ends at the same record for every client.
 *
 * @param cursorOf the cursor of the list after a record, which is the last of `count` in this response
 * @returns at least one record if there are any
 */
export function limitToResponseSize<T>(
  { records, hasMore }: { readonly records: readonly T[]; readonly hasMore: boolean },
  target: RequestTarget,
  cursorOf: (record: T, count: number) => string,
): LinkedRecords<T> {
  const included = records.slice(0, Math.max(1, countThatFits(records)));
  const last = included.at(-1);
  if (last === undefined || (!hasMore && included.length === records.length))
    return { records: included, headers: {} };
  const next = target.with({ cursor: cursorOf(last, included.length) });
  return { records: included, headers: linkHeader([["next", next]]) };
}

/**
 * Cuts a page to the records that fit into a response, and links to the pages around it. A cut page becomes the page
 * of a smaller size at the same place, and its links keep that size; so no cursor is needed.
 */
export function limitPageToResponseSize<T>(
  records: readonly T[],
  position: PagePosition,
  target: RequestTarget,
  sizeParameter: SizeParameter,
): LinkedRecords<T> {
  const offset = (position.page - 1) * position.size;
  let size = countThatFits(records);
  if (size === records.length)
    return { records: [...records], headers: pageLinks(target, sizeParameter, position) };
  while (size > 1 && offset % size !== 0) size -= 1;
  size = Math.max(1, size);
  const smaller = { page: offset / size + 1, size, total: position.total };
  return { records: records.slice(0, size), headers: pageLinks(target, sizeParameter, smaller) };
}

/**
 * The `Link` header of a page: `next`, `prev`, `first` and `last` if they exist (RFC 8288). Other parameters of the
 * request stay.
 */
export function pageLinks(
  target: RequestTarget,
  sizeParameter: SizeParameter,
  { page, size, total }: PagePosition,
): Readonly<Record<string, string>> {
  if (size === 0) return {};
  const last = Math.max(1, Math.ceil(total / size));
  const link = (relation: string, number: number): [string, string] => [
    relation,
    target.with({ page: String(number), [sizeParameter]: String(size) }),
  ];
  return linkHeader([
    ...(page < last ? [link("next", page + 1)] : []),
    ...(page > 1 ? [link("prev", Math.min(page - 1, last))] : []),
    link("first", 1),
    link("last", last),
  ]);
}

/**
 * Writes a `Link` header.
 *
 * @param links relation and target, the most important ones first: those that would make it too long are left out
 */
export function linkHeader(links: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  let header = "";
  for (const [relation, target] of links) {
    const longer = `${header}${header === "" ? "" : ", "}<${target}>; rel="${relation}"`;
    if (longer.length <= MAX_LINK_HEADER_BYTES) header = longer;
  }
  return header === "" ? {} : { link: header };
}

function countThatFits(records: readonly unknown[]): number {
  // A character takes three bytes at most, as itself or escaped.
  let upperBound = 0;
  for (const record of records) upperBound += 3 * JSON.stringify(record).length + 1;
  if (upperBound <= MAX_RESPONSE_BYTES) return records.length;
  let bytes = 0;
  const firstBeyond = records.findIndex((record) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(record)));
    return bytes > MAX_RESPONSE_BYTES;
  });
  return firstBeyond < 0 ? records.length : firstBeyond;
}
