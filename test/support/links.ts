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
