import { expect } from "vitest";
import { response } from "../infra/openapi.ts";
import type { ApiResponse } from "./conformance.ts";

/** The body without what varies: numbers, and the host in a URL. */
function normalize(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body)
      .replace(/https?:\/\/[^/"]+/g, "https://api.example.com")
      .replace(/\d+/g, "0"),
  );
}

/** Expects an error as one of the document's examples shows it, with the documented headers. */
export function expectDocumentedError(key: string, status: number, actual: ApiResponse): void {
  const { content, headers = {} } = response(key, status);
  const { example, examples } = content?.["application/json"] ?? {};
  const documented = examples ? Object.values(examples).map(({ value }) => value) : [example];

  expect(actual.status).toBe(status);
  expect(documented.map(normalize)).toContainEqual(normalize(actual.body));
  for (const name of Object.keys(headers)) expect(actual.headers.has(name)).toBe(true);
}
