import { credentialHeaders, languages, type Scheme } from "../../../infra/documentation/code-sample.ts";
import { parseJson } from "../../../infra/documentation/parse-json.ts";
import type { ShownRequest } from "../model.ts";
import { readHead } from "../read-head.ts";

/** Headers that a program should send too; its library sets the others. */
const copied = /^(content-type|api-version|if-match|if-none-match|idempotency-key)$/i;

/** The request as a command, with secrets as variables. */
export function curlOf({ request: { head, body } }: ShownRequest): string {
  const { method, target, headers } = readHead(head);
  const names = headers.map(([name]) => name.toLowerCase());
  const schemes: readonly Scheme[] = ["bearer", "apiKey"];
  const credentials = schemes.find((scheme) => names.includes(credentialHeaders[scheme].name));
  return languages.curl.codeOf({
    ...{ method, url: location.origin + target, returnsJson: true },
    headers: Object.fromEntries(headers.filter(([name]) => copied.test(name))),
    ...(body !== "" && { body }),
    ...(credentials && { credentials }),
  });
}

/** The request as a call of the typed client. */
export function clientCallOf({ method, target, route, request: { head, body } }: ShownRequest): string {
  const { pathname, searchParams } = new URL(target, location.origin);
  const template = route ?? pathname;
  const values = pathname.split("/");
  const path = template
    .split("/")
    .flatMap((part, i) =>
      part.startsWith("{") ? [[part.slice(1, -1), literal(decodeURIComponent(values[i] ?? ""))]] : [],
    );
  const query = [...searchParams].map(([name, value]) => [name, literal(value)]);
  const header = readHead(head).headers.filter(
    ([name]) => copied.test(name) && !/^content-type$/i.test(name),
  );
  const given = Object.entries({ path, query, header }).filter(([, members]) => members.length > 0);
  const params = Object.fromEntries(given.map(([name, members]) => [name, Object.fromEntries(members)]));
  const options = {
    ...(given.length > 0 && { params }),
    ...(body !== "" && { body: parseJson(body) ?? body }),
  };
  const argument = Object.keys(options).length > 0 ? `, ${JSON.stringify(options, undefined, 2)}` : "";
  return `const { data, error } = await api.${method}(${JSON.stringify(template)}${argument});`;
}

function literal(text: string): unknown {
  return /^(0|[1-9]\d{0,14})$|^(true|false)$/.test(text) ? JSON.parse(text) : text;
}
