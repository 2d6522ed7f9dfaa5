import { paginationOf } from "./pagination.ts";
import type { Route, RouteResponse } from "./route.ts";

/** The query parameter that makes an object of every list. Only the document of such lists declares it. */
export const LISTS_AS_OBJECTS = { name: "lists", value: "objects" } as const;

const text = `${LISTS_AS_OBJECTS.name}=${LISTS_AS_OBJECTS.value}`;
const IN_QUERY = new RegExp(`(?:^|&)${text}(?:&|$)`);

/**
 * Puts an array into `items`, and adds `next` to any list, for clients that read no headers, or no alternatives.
 * @example listAsObject(route, "lists=objects", response); // { items: [], next: { cursor: "YWZ0ZXIgMQ" } }
 */
export function listAsObject(route: Route, rawQuery: string, response: RouteResponse): RouteResponse {
  if (!IN_QUERY.test(rawQuery)) return response;
  const { byCursor, byPage } = paginationOf(route);
  if (!byCursor && !byPage) return response;
  const { headers, body } = response;
  const [, next] = /^<[^>?]*\?([^>]*)>; rel="next"/.exec(headers.link ?? "") ?? [];
  return {
    ...response,
    body: {
      ...(Array.isArray(body) ? { items: body } : (body as object)),
      ...(next !== undefined && { next: parametersOf(next) }),
    },
    headers: { ...headers, ...(headers.link && { link: headers.link.replaceAll(">;", `&${text}>;`) }) },
  };
}

function parametersOf(query: string): Readonly<Record<string, string | number>> {
  const values = new URLSearchParams(query);
  return Object.fromEntries(
    ["cursor", "page", "limit", "size"].flatMap((name) => {
      const value = values.get(name);
      return value === null ? [] : [[name, name === "cursor" ? value : Number(value)]];
    }),
  );
}
