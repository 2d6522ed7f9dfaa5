import { credentialHeaders, languages, type Scheme } from "../../../infra/documentation/code-sample.ts";
import { parseJson } from "../../../infra/documentation/parse-json.ts";
import { readHead, type ShownRequest } from "../model.ts";

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
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  const header = readHead(head).headers.filter(([name]) => copied.test(name) && !/^content-/i.test(name));
  const texts = {
    path: pattern.exec(decodeURIComponent(pathname))?.groups,
    ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
    ...(header.length > 0 && { header: Object.fromEntries(header) }),
  };
  const params = JSON.parse(JSON.stringify(texts), (_, value) =>
    /^(0|[1-9]\d{0,14}|true|false)$/.test(value) ? JSON.parse(value) : value,
  );
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body !== "" && { body: parseJson(body) ?? body }),
  };
  const argument = Object.keys(options).length > 0 ? `, ${JSON.stringify(options, undefined, 2)}` : "";
  return `const { data, error } = await api.${method}(${JSON.stringify(template)}${argument});`;
}
