import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { SmokeCall } from "../../functions/define-area.ts";
import { isBytes, type Route, type Status } from "../../lib/http/route.ts";
import type { HttpResponse } from "../http-client.ts";

export type Expectation = Pick<SmokeCall, "status" | "response" | "responseHeaders">;

export function mismatch(
  response: HttpResponse,
  expected: Expectation,
  route: Route | undefined,
): string | undefined {
  const { status, headers, text } = response;
  if (status !== expected.status) return `expected ${expected.status}; ${truncate(text)}`;
  if (headers["x-request-id"] === undefined) return "no x-request-id: not sent by a function";
  for (const [name, value] of Object.entries(expected.responseHeaders ?? {}))
    if (headers[name] !== value) return `${name} is ${headers[name] ?? "missing"}, expected ${value}`;
  const body = bodyOf(response);
  const schema = route?.responses[status as Status];
  // Bytes are only declared by their media type, and compressed bodies are not decoded.
  if (schema && !isBytes(schema) && headers["content-encoding"] === undefined) {
    const { error } = schema.safeParse(body);
    if (error) return `not as declared: ${z.prettifyError(error)}`;
  }
  const isMember = ([name, value]: [string, unknown]) =>
    isDeepStrictEqual((body as Record<string, unknown> | null | undefined)?.[name], value);
  return Object.entries(expected.response ?? {}).every(isMember)
    ? undefined
    : `expected ${JSON.stringify(expected.response)}; ${truncate(text)}`;
}

function bodyOf({ headers, text }: HttpResponse): unknown {
  if (text === "" || headers["content-encoding"] !== undefined) return undefined;
  return headers["content-type"]?.startsWith("application/json") ? JSON.parse(text) : text;
}

function truncate(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
