import { linkHeader, type PagePosition, pageLinks, withParameters } from "./links.ts";

/**
 * What Lambda's answer can be, escapes of the body included: 6 MB, and something for the headers
 * (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
 */
const MAX_RESPONSE_BYTES = 6_291_556 - 64 * 1_024;

/** A part of a list, in its order. */
interface Part<T> {
  readonly records: readonly T[];
  /** Whether the list goes on after the last of them. */
  readonly hasMore: boolean;
}

/**
 * Cuts a list to what one answer can carry, at the end of a record, and says where it goes on. The compressed
 * answer would often carry more, but a list should not end elsewhere for each client.
 *
 * @param part what was read
 * @param target path and query of the request
 * @param cursorOf where the list goes on after a record, which is the last of so many in this answer
 * @returns the records to answer, at least one of them if there are any, and the `Link` header to the next ones
 */
export function limitToResponseSize<T>(
  { records, hasMore }: Part<T>,
  target: string,
  cursorOf: (record: T, count: number) => string,
): { records: T[]; headers: Readonly<Record<string, string>> } {
  const count = Math.max(1, countOfFitting(records));
  const kept = records.slice(0, count);
  const last = kept.at(-1);
  if (last === undefined || (!hasMore && kept.length === records.length))
    return { records: kept, headers: {} };
  const next = withParameters(target, { cursor: cursorOf(last, kept.length) });
  return { records: kept, headers: linkHeader([{ relation: "next", target: next }]) };
}

/**
 * Cuts a page to what one answer can carry. What is left is the page at the same place of a smaller size, and the
 * links go on with that size; so it needs no cursor, whatever the list's order is.
 *
 * @param records of the page
 * @param place of the page
 * @param target path and query of the request
 * @param sizeName the parameter that carries the size
 * @returns the records to answer and the `Link` header
 */
export function limitPageToResponseSize<T>(
  records: readonly T[],
  place: PagePosition,
  target: string,
  sizeName: "limit" | "size",
): { records: T[]; headers: Readonly<Record<string, string>> } {
  const offset = (place.page - 1) * place.size;
  let size = countOfFitting(records);
  if (size === records.length) return { records: [...records], headers: pageLinks(target, sizeName, place) };
  while (size > 1 && offset % size !== 0) size -= 1;
  size = Math.max(1, size);
  const smaller = { page: offset / size + 1, size, total: place.total };
  return { records: records.slice(0, size), headers: pageLinks(target, sizeName, smaller) };
}

function countOfFitting(records: readonly unknown[]): number {
  // A character is three bytes at most, as itself or escaped.
  let atMost = 0;
  for (const record of records) atMost += 3 * JSON.stringify(record).length + 1;
  if (atMost <= MAX_RESPONSE_BYTES) return records.length;
  let bytes = 0;
  const tooMuch = records.findIndex((record) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(record)));
    return bytes > MAX_RESPONSE_BYTES;
  });
  return tooMuch < 0 ? records.length : tooMuch;
}
