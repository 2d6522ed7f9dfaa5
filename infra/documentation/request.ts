import { parseJson } from "../../lib/parse-json.ts";
import type { FormRequest } from "./code-sample.ts";

interface ParameterValue {
  readonly name: string;
  readonly in: string;
  /** JSON Schema's, such as `integer`. */
  readonly type: string;
  /** As typed; empty leaves the parameter out. */
  readonly value: string;
}

/** Puts the values of an operation's form into a request. */
export function buildRequest(
  target: Omit<FormRequest, "url" | "headers" | "params" | "body">,
  parameters: readonly ParameterValue[],
  body = "",
): FormRequest {
  const given = parameters.filter(({ value }) => value !== "");
  const textsIn = (place: string) =>
    given.filter((each) => each.in === place).map(({ name, value }) => [name, value] as const);
  const texts = new Map(textsIn("path"));
  const fill = (all: string, name: string) => encodeURIComponent(texts.get(name) ?? "") || all;
  const path = target.baseUrl + target.path.replaceAll(/\{(\w+)\}/g, fill);
  const query = textsIn("query").map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const hasBody = body.trim() !== "";
  const params: Record<string, Record<string, unknown>> = {};
  for (const each of given) params[each.in] = { ...params[each.in], [each.name]: typedValue(each) };
  return {
    ...target,
    url: [path, ...(query.length > 0 ? [query.join("&")] : [])].join("?"),
    headers: {
      ...(hasBody && { "content-type": "application/json" }),
      ...Object.fromEntries(textsIn("header")),
    },
    params,
    ...(hasBody && { body }),
  };
}

/** What is no value of its type stays text. */
function typedValue({ type, value }: ParameterValue): unknown {
  if (type === "array") return value.split(",");
  return type === "string" ? value : (parseJson(value) ?? value);
}
