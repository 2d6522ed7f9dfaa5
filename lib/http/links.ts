/** Of the 10,240 bytes that all headers of an answer may have together. */
const MAX_LINK_HEADER_BYTES = 8_000;

/** Where a page stands among the pages of its list. */
export interface PagePosition {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  /** How many records the list has. */
  readonly total: number;
}

/**
 * The `Link` header of a page: to the next one, the one before, the first and the last, as far as there are such
 * (RFC 8288). The other parameters of the request stay. Where all of that is longer than a header can be, what
 * comes last in this list is left out.
 *
 * @param target path and query of the request
 * @param sizeName the parameter that carries the size; `page` carries the number
 * @returns the header; none where pages hold nothing
 */
export function pageLinks(
  target: string,
  sizeName: "limit" | "size",
  { page, size, total }: PagePosition,
): Readonly<Record<string, string>> {
  if (size === 0) return {};
  const last = Math.max(1, Math.ceil(total / size));
  const to = (relation: string, number: number) => ({
    relation,
    target: withParameters(target, { page: String(number), [sizeName]: String(size) }),
  });
  return linkHeader([
    ...(page < last ? [to("next", page + 1)] : []),
    ...(page > 1 ? [to("prev", Math.min(page - 1, last))] : []),
    to("first", 1),
    to("last", last),
  ]);
}

/**
 * Writes a `Link` header.
 *
 * @param links the most important ones first; those that no longer fit are left out
 */
export function linkHeader(
  links: readonly { readonly relation: string; readonly target: string }[],
): Readonly<Record<string, string>> {
  let link = "";
  for (const { relation, target } of links) {
    const longer = `${link}${link === "" ? "" : ", "}<${target}>; rel="${relation}"`;
    if (longer.length <= MAX_LINK_HEADER_BYTES) link = longer;
  }
  return link === "" ? {} : { link };
}

/**
 * Sets parameters of a target and keeps the others, in their order.
 *
 * @param target path and query, percent-encoded
 * @param parameters name → value; undefined takes one away
 */
export function withParameters(
  target: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const { path, query } = splitTarget(target);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * Splits a target at its first question mark: those behind it belong to the query.
 *
 * @param target path and query, percent-encoded
 */
export function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const [path = "", ...rest] = target.split("?");
  return { path, query: new URLSearchParams(rest.join("?")) };
}
