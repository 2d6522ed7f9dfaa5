import type { ApiResponse } from "./conformance.ts";

/** The targets of a `Link` header by their relation; read as RFC 8288 writes it. */
export function linksOf({ headers }: { readonly headers: Headers }): Readonly<Record<string, string>> {
  const links = headers.get("link") ?? "";
  return Object.fromEntries(
    [...links.matchAll(/<([^>]*)>; rel="(\w+)"(?:, |$)/g)].map(([, target = "", relation = ""]) => [
      relation,
      target,
    ]),
  );
}

/**
 * Follows `next` from one answer to the next, until there is none.
 *
 * @param ask sends a request to a target
 * @param first the first target
 * @param recordsOf what of an answer's body is of the list
 * @returns the list, and how many answers it took
 */
export async function follow<T>(
  ask: (target: string) => Promise<ApiResponse>,
  first: string,
  recordsOf: (body: never) => readonly T[] = (body) => body,
): Promise<{ seen: T[]; answers: number }> {
  const seen: T[] = [];
  let answers = 0;
  for (let next: string | undefined = first; next !== undefined; answers += 1) {
    const response = await ask(next);
    if (response.status !== 200) throw new Error(`${next} answered ${response.status}`);
    seen.push(...recordsOf(response.body as never));
    next = linksOf(response).next;
  }
  return { seen, answers };
}
