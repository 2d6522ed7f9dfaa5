import type { credentialHeaders, SampleRequest } from "./code-sample.ts";

export type Scheme = keyof typeof credentialHeaders;

interface ParameterValue {
  readonly name: string;
  readonly in: string;
  /** As typed; empty leaves the parameter out. */
  readonly value: string;
}

interface RequestTarget extends Pick<SampleRequest, "method" | "returnsJson"> {
  /** With placeholders such as `{id}`. */
  readonly path: string;
  readonly baseUrl: string;
  readonly credentials: Scheme | undefined;
}

/** Puts the values of an operation's form into a request. */
export function buildRequest(
  { method, path, baseUrl, returnsJson, credentials }: RequestTarget,
  parameters: readonly ParameterValue[],
  body: string | undefined,
): SampleRequest {
  const given = parameters.filter(({ value }) => value !== "");
  const inPlace = (place: string) => given.filter((parameter) => parameter.in === place);
  const values = new Map(inPlace("path").map(({ name, value }) => [name, value]));
  const url = path.replaceAll(/\{(\w+)\}/g, (placeholder, name) => {
    const value = values.get(name);
    return value === undefined ? placeholder : encodeURIComponent(value);
  });
  const query = inPlace("query").map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const hasBody = body !== undefined && body.trim() !== "";
  return {
    method,
    url: `${baseUrl}${url}${query.length > 0 ? `?${query.join("&")}` : ""}`,
    headers: {
      ...(hasBody && { "content-type": "application/json" }),
      ...Object.fromEntries(inPlace("header").map(({ name, value }) => [name, value])),
    },
    returnsJson,
    ...(hasBody && { body }),
    ...(credentials && { credentials }),
  };
}
