import { languages, type SampleRequest, type Scheme } from "../../../infra/documentation/code-sample.ts";
import { parseJson } from "../../../infra/documentation/parse-json.ts";
import type { ShownRequest } from "../model.ts";

/** Headers that a program should send too; its library sets the others. */
const copied = /^(content-type|api-version|if-match|if-none-match|idempotency-key)$/i;

/** The request as a command, with secrets as variables. */
export function curlOf({ method, target, requestHeaders, requestBody }: ShownRequest): string {
  const names = new Set(requestHeaders.map(([name]) => name.toLowerCase()));
  const credentials: Scheme | undefined = names.has("authorization")
    ? "bearer"
    : names.has("x-api-key")
      ? "apiKey"
      : undefined;
  const request: SampleRequest = {
    method,
    url: location.origin + target,
    headers: Object.fromEntries(requestHeaders.filter(([name]) => copied.test(name))),
    returnsJson: true,
    ...(requestBody !== "" && { body: requestBody }),
    ...(credentials && { credentials }),
  };
  return languages.curl.codeOf(request);
}

/** The request as a call of the typed client. */
export function clientCallOf({ method, target, route, requestHeaders, requestBody }: ShownRequest): string {
  const { pathname, searchParams } = new URL(target, location.origin);
  const template = route ?? pathname;
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const values = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "([^/]+)")}/?$`).exec(pathname) ?? [];
  const path = Object.fromEntries(
    names.map((name, i) => [name, literal(decodeURIComponent(values[i + 1] ?? ""))]),
  );
  const query = Object.fromEntries([...searchParams].map(([name, value]) => [name, literal(value)]));
  const header = Object.fromEntries(
    requestHeaders.filter(([name]) => copied.test(name) && name.toLowerCase() !== "content-type"),
  );
  const params = Object.fromEntries(
    Object.entries({ path, query, header }).filter(([, members]) => Object.keys(members).length > 0),
  );
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(requestBody !== "" && { body: parseJson(requestBody) ?? requestBody }),
  };
  const argument = Object.keys(options).length > 0 ? `, ${JSON.stringify(options, undefined, 2)}` : "";
  return `const { data, error } = await api.${method}(${JSON.stringify(template)}${argument});`;
}

function literal(text: string): unknown {
  return /^(0|[1-9]\d{0,14})$|^(true|false)$/.test(text) ? JSON.parse(text) : text;
}
