import type { SampleRequest } from "./code-sample.ts";

interface ParameterValue {
  readonly name: string;
  readonly in: string;
  /** As typed; empty leaves the parameter out. */
  readonly value: string;
}

/** Puts the values of an operation's form into a request, whose URL has placeholders such as `{id}`. */
export function buildRequest(
  { url, ...target }: Omit<SampleRequest, "headers" | "body">,
  parameters: readonly ParameterValue[],
  body = "",
): SampleRequest {
  const given = (place: string) =>
    parameters
      .filter(({ in: each, value }) => each === place && value !== "")
      .map(({ name, value }) => [name, value] as const);
  const path = new Map(given("path"));
  const query = given("query").map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const hasBody = body.trim() !== "";
  const filled = url.replaceAll(/\{(\w+)\}/g, (all, name) => encodeURIComponent(path.get(name) ?? "") || all);
  return {
    ...target,
    url: [filled, ...(query.length > 0 ? [query.join("&")] : [])].join("?"),
    headers: {
      ...(hasBody && { "content-type": "application/json" }),
      ...Object.fromEntries(given("header")),
    },
    ...(hasBody && { body }),
  };
}
