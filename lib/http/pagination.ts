import { type ApiError, validationError } from "../domain/errors.ts";
import type { RequestTarget } from "./request.ts";
import { HEAD_BYTES, MAX_PAYLOAD_BYTES } from "./response.ts";
import type { Route } from "./route.ts";

/** The size limit of the body of a response including its escapes. */
const MAX_RESPONSE_BYTES = MAX_PAYLOAD_BYTES - HEAD_BYTES;

/** A part of the 10,240 bytes that all headers of a response may have together. */
const MAX_LINK_HEADER_BYTES = 8_000;

/** The parameter that carries the size of a page. */
type SizeParameter = "limit" | "size";

/** Which page of a list. */
export interface PagePosition {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  /** How many records the list has; undefined if only reading all of them would tell. */
  readonly total?: number | undefined;
  /** Whether there is a page after this one. By default `total` tells. */
  readonly hasMore?: boolean | undefined;
}

/** Some records of a list with the headers that link to others. */
interface LinkedRecords<T> {
  readonly records: T[];
  readonly headers: Readonly<Record<string, string>>;
}

/** How a route's list is paginated, as the parameters of its query say. */
export function paginationOf({ request: { query } }: Route) {
  const parameters = query?.shape ?? {};
  return { byCursor: "cursor" in parameters, byPage: "page" in parameters };
}

/** How to continue a list. */
interface Continuation<T, Position> {
  /** The cursor of the list after a position. */
  readonly cursorAfter: (position: Position) => string;
  /** The position of a record, which is the last of `count` in the response. */
  readonly positionOf: (record: T, count: number) => Position;
}

/**
 * Cuts a list after the last record that fits into a response, and links to the rest. The size before compression
 * counts, so that a list ends at the same record for every client.
 *
 * @param part and the position at which the list continues; undefined at its end
 * @param page which page of the list the part is, if the client asked for a page: links to those before it
 * @returns at least one record if there are any
 */
export function limitToResponseSize<T, Position>(
  part: { readonly records: readonly T[]; readonly next: Position | undefined },
  target: RequestTarget,
  { cursorAfter, positionOf }: Continuation<T, Position>,
  page?: Pick<PagePosition, "page" | "size">,
): LinkedRecords<T> {
  const records = part.records.slice(0, Math.max(1, countThatFits(part.records)));
  const last = records.at(-1);
  const isCut = last !== undefined && records.length < part.records.length;
  const next = isCut ? positionOf(last, records.length) : part.next;
  const links = [
    // A cursor says by itself where to continue, so the page's number goes.
    ...(next === undefined
      ? []
      : [["next", target.with({ cursor: cursorAfter(next), page: undefined })] as const]),
    ...(page ? earlierPages(target, "limit", page) : []),
  ];
  return { records, headers: linkHeader(links) };
}

/** The error of a cursor that does not fit the rest of the query. */
export function misplacedCursor(): ApiError {
  const message = "Belongs to a list in another order, or is given together with `page`";
  return validationError([{ field: "query.cursor", message, type: "invalid_value" }]);
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
  const count = countThatFits(records);
  if (count === records.length)
    return { records: [...records], headers: pageLinks(target, sizeParameter, position) };
  let size = Math.max(1, count);
  while (offset % size !== 0) size -= 1;
  const hasMore = size < records.length || position.hasMore;
  const smaller = { page: offset / size + 1, size, total: position.total, hasMore };
  return { records: records.slice(0, size), headers: pageLinks(target, sizeParameter, smaller) };
}

/**
 * The `Link` header of a page: `next`, `prev`, `first` and, if the total is known, `last` (RFC 8288). Other parameters
 * of the request stay.
 */
export function pageLinks(
  target: RequestTarget,
  sizeParameter: SizeParameter,
  { page, size, total, hasMore = false }: PagePosition,
): Readonly<Record<string, string>> {
  if (size === 0) return {};
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / size));
  const link = pageLink(target, sizeParameter, size);
  return linkHeader([
    ...((last === undefined ? hasMore : page < last) ? [link("next", page + 1)] : []),
    ...earlierPages(target, sizeParameter, {
      page: last === undefined ? page : Math.min(page, last + 1),
      size,
    }),
    ...(last === undefined ? [] : [link("last", last)]),
  ]);
}

function pageLink(target: RequestTarget, sizeParameter: SizeParameter, size: number) {
  return (relation: string, page: number) =>
    [relation, target.with({ page: String(page), [sizeParameter]: String(size) })] as const;
}

function earlierPages(
  target: RequestTarget,
  sizeParameter: SizeParameter,
  { page, size }: Pick<PagePosition, "page" | "size">,
): (readonly [relation: string, target: string])[] {
  const link = pageLink(target, sizeParameter, size);
  return [...(page > 1 ? [link("prev", page - 1)] : []), link("first", 1)];
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
