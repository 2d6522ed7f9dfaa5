import { parseJson } from "../../lib/parse-json.ts";

/** A request as the page sends it, except for its credentials. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, which the user may not have finished. */
  readonly body?: string;
  readonly credentials?: Scheme;
  readonly returnsJson: boolean;
}

/** What the form of an operation has. */
export interface FormRequest extends SampleRequest {
  readonly baseUrl: string;
  /** With placeholders, such as `/todos/{id}`. */
  readonly path: string;
  readonly params: Params;
}

/** By place, such as `query`, and name: values of JavaScript's types. */
type Params = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** By security scheme: the header, the text before the credentials, and the variable that has them. */
export const credentialHeaders = {
  bearer: { name: "authorization", prefix: "Bearer ", variable: "TOKEN" },
  apiKey: { name: "x-api-key", prefix: "", variable: "API_KEY" },
} as const;
export type Scheme = keyof typeof credentialHeaders;

/** Languages of programs that send a request. They read credentials from the environment. */
export const languages = {
  curl: { title: "curl", codeOf: curl },
  javascript: { title: "JavaScript", codeOf: javascript },
  python: { title: "Python", codeOf: python },
  client: { title: "Typed client", codeOf: client },
} as const;
export type Language = keyof typeof languages;

/** The headers with code for their values; `read` gives code for a prefix and a variable's value. */
function headerCode(
  { headers, credentials }: SampleRequest,
  read: (prefix: string, variable: string) => string,
): [name: string, code: string][] {
  const literals = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    JSON.stringify(value),
  ]);
  if (credentials === undefined) return literals;
  const { name, prefix, variable } = credentialHeaders[credentials];
  return [[name, read(prefix, variable)], ...literals];
}

function curl({ method, url, headers, body, credentials }: SampleRequest): string {
  const isDefault = method === (body === undefined ? "GET" : "POST");
  const { name, prefix, variable } = credentialHeaders[credentials ?? "bearer"];
  return [
    `curl${isDefault ? "" : ` -X ${method}`} ${quoteForShell(url)}`,
    ...(credentials ? [`-H "${name}: ${prefix}$${variable}"`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoteForShell(formatBody(body))}`]),
  ].join(" \\\n  ");
}

function javascript(request: SampleRequest): string {
  const { method, url, body = "", returnsJson } = request;
  const headers = headerCode(request, (prefix, variable) => `\`${prefix}\${process.env.${variable}}\``).map(
    ([name, code]) => `${JSON.stringify(name)}: ${code}`,
  );
  const isJson = parseJson(body) !== undefined;
  const options = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(body === ""
      ? []
      : [`body: ${isJson ? `JSON.stringify(${formatBody(body, 2)})` : JSON.stringify(body)}`]),
  ];
  const parameter = options.length === 0 ? "" : `, {\n${options.join(",\n").replaceAll(/^/gm, "  ")},\n}`;
  return [
    `const response = await fetch(${JSON.stringify(url)}${parameter});`,
    `console.log(response.status, await response.${returnsJson ? "json" : "text"}());`,
  ].join("\n");
}

function python(request: SampleRequest): string {
  const { method, url, body = "", credentials, returnsJson } = request;
  const headers = headerCode(request, (prefix, variable) => `f"${prefix}{os.environ['${variable}']}"`)
    // `requests` sets the content type of JSON itself.
    .filter(([name]) => name !== "content-type")
    .map(([name, code]) => `${JSON.stringify(name)}: ${code}`);
  const value = parseJson(body);
  const parameters = [
    JSON.stringify(url),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(", ")}}`]),
    ...(body === ""
      ? []
      : [value === undefined ? `data=${JSON.stringify(body)}` : `json=${pythonLiteral(value)}`]),
  ];
  return [
    ...(credentials ? ["import os"] : []),
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...parameters.map((parameter) => `    ${parameter},`),
    ")",
    `print(response.status_code, response.${returnsJson ? "json()" : "text"})`,
  ].join("\n");
}

function client({ method, baseUrl, path, params, body, credentials }: FormRequest): string {
  const option = { bearer: ", token: process.env.TOKEN", apiKey: ", apiKey: process.env.API_KEY" };
  const options = `baseUrl: ${JSON.stringify(baseUrl)}${credentials ? option[credentials] : ""}`;
  return [
    "// Made by `npm pack ./client` in the service's repository",
    'import { createClient } from "resource-api";',
    "",
    `const api = createClient({ ${options} });`,
    `const { data, error, response } = ${clientCall(method, path, params, body)};`,
    "console.log(response.status, data ?? error);",
  ].join("\n");
}

/** A call of the typed client, which is `api`. */
function clientCall(method: string, path: string, params: Params, body = ""): string {
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body !== "" && { body: parseJson(body) ?? body }),
  };
  const lines = Object.entries(options).map(([name, value]) => {
    const literal = JSON.stringify(value, undefined, 1).replaceAll(/\n */g, " ");
    return `  ${name}: ${literal.replaceAll(/ "(\w+)": /g, " $1: ")},\n`;
  });
  return `await api.${method}(${JSON.stringify(path)}${lines.length > 0 ? `, {\n${lines.join("")}}` : ""})`;
}

function pythonLiteral(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  const fields = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`,
  );
  return `{${fields.join(", ")}}`;
}

function formatBody(text: string, spaces?: number): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, undefined, spaces);
}

function quoteForShell(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
