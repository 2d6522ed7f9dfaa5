import { parseJson } from "./parse-json.ts";

/** A request as the page sends it, except for its credentials. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, which the user may not have finished. */
  readonly body?: string;
  readonly credentials?: keyof typeof credentialHeaders;
  /** Whether the success is JSON. */
  readonly returnsJson: boolean;
}

/** By security scheme: the header's name and the text before the credentials. */
export const credentialHeaders = {
  bearer: { name: "authorization", prefix: "Bearer " },
  apiKey: { name: "x-api-key", prefix: "" },
} as const;

/** The same header in code, with a variable. */
const credentialCode = {
  bearer: {
    curl: '-H "authorization: Bearer $TOKEN"',
    javascript: `authorization: \`Bearer \${token}\``,
    python: '"authorization": f"Bearer {token}"',
    go: 'request.Header.Set("authorization", "Bearer "+os.Getenv("TOKEN"))',
  },
  apiKey: {
    curl: '-H "x-api-key: $API_KEY"',
    javascript: '"x-api-key": apiKey',
    python: '"x-api-key": api_key',
    go: 'request.Header.Set("x-api-key", os.Getenv("API_KEY"))',
  },
} as const;

export const languages = { curl: "curl", javascript: "JavaScript", python: "Python", go: "Go" } as const;
export type Language = keyof typeof languages;

/** A program that sends a request. It reads credentials from variables, so that it can be shown to others. */
export function codeSample(language: Language, request: SampleRequest): string {
  return samples[language](request);
}

const samples: Readonly<Record<Language, (request: SampleRequest) => string>> = {
  curl,
  javascript,
  python,
  go,
};

function curl({ method, url, headers, body, credentials }: SampleRequest): string {
  const isDefault = method === (body === undefined ? "GET" : "POST");
  return [
    `curl${isDefault ? "" : ` -X ${method}`} ${quoteForShell(url)}`,
    ...(credentials ? [credentialCode[credentials].curl] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoteForShell(compact(body))}`]),
  ].join(" \\\n  ");
}

function javascript({ method, url, headers, body, credentials, returnsJson }: SampleRequest): string {
  const sent = [
    ...(credentials ? [credentialCode[credentials].javascript] : []),
    ...Object.entries(headers).map(([name, value]) => `${propertyName(name)}: ${JSON.stringify(value)}`),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(sent.length === 0 ? [] : [`headers: { ${sent.join(", ")} }`]),
    ...(body === undefined ? [] : [`body: ${javascriptBody(body)}`]),
  ];
  const parameters = [
    JSON.stringify(url),
    ...(options.length === 0 ? [] : [`{\n${options.map((option) => indent(option, 2)).join(",\n")},\n}`]),
  ];
  return [
    `const response = await fetch(${parameters.join(", ")});`,
    `console.log(response.status, await response.${returnsJson ? "json" : "text"}());`,
  ].join("\n");
}

function python({ method, url, headers, body, credentials, returnsJson }: SampleRequest): string {
  // `requests` sets the content type of JSON itself.
  const sent = Object.entries(headers)
    .filter(([name]) => name !== "content-type")
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  if (credentials) sent.unshift(credentialCode[credentials].python);
  const lines = [
    JSON.stringify(url),
    ...(sent.length === 0 ? [] : [`headers={${sent.join(", ")}}`]),
    ...(body === undefined ? [] : [pythonBody(body)]),
  ];
  return [
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...lines.map((line) => `${indent(line, 4)},`),
    ")",
    `print(response.status_code, response.${returnsJson ? "json()" : "text"})`,
  ].join("\n");
}

/** A whole program: Go does not compile a part of one. */
function go({ method, url, headers, body, credentials }: SampleRequest): string {
  const value = body === undefined ? undefined : parseJson(body);
  const text = value === undefined ? body : JSON.stringify(value, undefined, 2);
  // A raw string can't contain a backquote.
  const literal = text?.includes("`") ? JSON.stringify(text) : `\`${text}\``;
  const packages = ["fmt", "io", "net/http", ...(credentials ? ["os"] : []), ...(text ? ["strings"] : [])];
  const check = ["if err != nil {", "\tpanic(err)", "}"];
  const content = text ? `strings.NewReader(${literal})` : "nil";
  const lines = [
    `request, err := http.NewRequest(${JSON.stringify(method)}, ${JSON.stringify(url)}, ${content})`,
    ...check,
    ...(credentials ? [credentialCode[credentials].go] : []),
    ...Object.entries(headers).map(
      ([name, each]) => `request.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(each)})`,
    ),
    "response, err := http.DefaultClient.Do(request)",
    ...check,
    "defer response.Body.Close()",
    "body, err := io.ReadAll(response.Body)",
    ...check,
    "fmt.Println(response.StatusCode, string(body))",
  ];
  const imports = packages.map((name) => `\t"${name}"`);
  return [
    ...["package main", "", "import (", ...imports, ")", "", "func main() {"],
    ...lines.map((line) => `\t${line}`),
    "}",
  ].join("\n");
}

function propertyName(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}

function javascriptBody(text: string): string {
  const value = parseJson(text);
  return value === undefined
    ? JSON.stringify(text)
    : `JSON.stringify(${JSON.stringify(value, undefined, 2)})`;
}

function pythonBody(text: string): string {
  const value = parseJson(text);
  return value === undefined ? `data=${JSON.stringify(text)}` : `json=${pythonLiteral(value)}`;
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

function compact(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value);
}

function quoteForShell(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function indent(text: string, columns: number): string {
  return text.replaceAll(/^/gm, " ".repeat(columns));
}
