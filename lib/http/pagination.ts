import { type ApiError, validationError } from "../domain/errors.ts";
import type { RequestTarget } from "./request.ts";
import { HEAD_BYTES, MAX_PAYLOAD_BYTES } from "./response.ts";
import { type Route, response } from "./route.ts";

const MAX_RESPONSE_BYTES = MAX_PAYLOAD_BYTES - HEAD_BYTES;

const MAX_LINK_HEADER_BYTES = 8_000;

type SizeParameter = "limit" | "size";

export interface PagePosition {
  readonly page: number;
  readonly size: number;
  /** Undefined if only reading all records would tell. */
  readonly total?: number | undefined;
  readonly hasMore?: boolean | undefined;
}

type Page = Pick<PagePosition, "page" | "size">;

export function paginationOf({ request: { query } }: Route) {
  const parameters = query?.shape ?? {};
  return { byCursor: "cursor" in parameters, byPage: "page" in parameters };
}

/**
 * Cuts a list after the last record that fits into a response, but keeps one, and links to the rest.
 * @param continuation the cursor after a position, and the position of the last of `count` records
 * @param page which page the part is, if the client asked for one: links to those before it
 */
export function limitToResponseSize<T, Position>(
  part: { readonly records: readonly T[]; readonly next: Position | undefined },
  target: RequestTarget,
  continuation: {
    readonly cursorAfter: (position: Position) => string;
    readonly positionOf: (record: T, count: number) => Position;
  },
  page?: Page,
) {
  const records = part.records.slice(0, Math.max(1, countThatFits(part.records)));
  const last = records.at(-1);
  const isCut = last !== undefined && records.length < part.records.length;
  const next = isCut ? continuation.positionOf(last, records.length) : part.next;
  const headers = linkHeader({
    next:
      next === undefined
        ? undefined
        : target.with({ cursor: continuation.cursorAfter(next), page: undefined }),
    ...(page && earlierPages(target, "limit", page)),
  });
  return { records, headers };
}

/** The response of a list whose body is an array. @see limitToResponseSize */
export function listResponse<T, Position>(...list: Parameters<typeof limitToResponseSize<T, Position>>) {
  const { records, headers } = limitToResponseSize(...list);
  return response(200, records, headers);
}

export function misplacedCursor(): ApiError {
  const message = "This cursor is for a list in another order, or `page` is given too";
  return validationError([{ field: "query.cursor", message, type: "invalid_value" }]);
}

/** Cuts a page to what fits into a response. It becomes the page of a smaller size, which its links keep. */
export function limitPageToResponseSize<T>(
  records: readonly T[],
  position: PagePosition,
  target: RequestTarget,
  sizeParameter: SizeParameter,
) {
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

/** The `Link` header of a page: `next`, `prev`, `first` and, if the total is known, `last` (RFC 8288). */
export function pageLinks(
  target: RequestTarget,
  sizeParameter: SizeParameter,
  { page, size, total, hasMore = false }: PagePosition,
): Readonly<Record<string, string>> {
  if (size === 0) return {};
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / size));
  const hasNext = last === undefined ? hasMore : page < last;
  return linkHeader({
    next: hasNext ? pageLink(target, sizeParameter, Math.max(1, page + 1), size) : undefined,
    ...earlierPages(target, sizeParameter, { page: Math.min(page, (last ?? page) + 1), size }),
    last: last === undefined ? undefined : pageLink(target, sizeParameter, last, size),
  });
}

function pageLink(target: RequestTarget, sizeParameter: SizeParameter, page: number, size: number): string {
  return target.with({ page: String(page), [sizeParameter]: String(size) });
}

function earlierPages(target: RequestTarget, sizeParameter: SizeParameter, { page, size }: Page) {
  return {
    prev: page > 1 ? pageLink(target, sizeParameter, page - 1, size) : undefined,
    first: pageLink(target, sizeParameter, 1, size),
  };
}

/**
 * @param links the most important first: the last are left out if it is too long
 * @throws ApiError `ValidationError` if there is no room for `next`, without which a list would end too early
 */
export function linkHeader(
  links: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  let header = "";
  for (const [relation, target] of Object.entries(links)) {
    const longer = `${header}${header === "" ? "" : ", "}<${target}>; rel="${relation}"`;
    if (target === undefined) continue;
    if (longer.length <= MAX_LINK_HEADER_BYTES) header = longer;
    else if (relation === "next") throw queryTooLong();
  }
  return header === "" ? {} : { link: header };
}

function queryTooLong(): ApiError {
  const message = "Too long for the link to the next page: use a shorter query";
  return validationError([{ field: "query", message, type: "too_big" }]);
}

function countThatFits(records: readonly unknown[]): number {
  // A character takes three bytes at most, as itself or escaped.
  if (3 * JSON.stringify(records).length <= MAX_RESPONSE_BYTES) return records.length;
  let bytes = 0;
  const firstBeyond = records.findIndex((record) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(record)));
    return bytes > MAX_RESPONSE_BYTES;
  });
  return firstBeyond < 0 ? records.length : firstBeyond;
}
