import { ApiError } from "../../lib/domain/errors.ts";
import type { RawRequest } from "../../lib/http/request.ts";
import { errorOfRoute } from "../../lib/http/response.ts";
import type { Route } from "../../lib/http/route.ts";
import { validate } from "../../lib/http/validation.ts";

/** The value of placeholders in examples. */
const EXAMPLE_ID = "7";

const INVALID_VALUES = ["0", "x", "", "\ud800"];

/**
 * The error of a route for invalid requests. It comes from the service's own validation, which gets requests
 * with an empty object, without a body, and with an invalid value in each parameter.
 *
 * @returns undefined when every request is valid: `GET /health` has no parameters, and a todo's id that is
 *   not an integer is just unknown
 */
export function invalidRequestError(route: Route): ApiError | undefined {
  const placeholders = Object.fromEntries(
    Object.keys(route.request.path?.shape ?? {}).map((name) => [name, EXAMPLE_ID]),
  );
  const attempts: RequestParts[] = [
    ...(route.request.body ? [{ body: Buffer.from("{}") }] : []),
    {},
    ...(["query", "headers", "path"] as const).flatMap((part) =>
      INVALID_VALUES.flatMap((value) =>
        Object.keys(route.request[part]?.shape ?? {}).map((name) => ({ [part]: { [name]: value } })),
      ),
    ),
  ];
  for (const { path, ...parts } of attempts) {
    try {
      validate(route, { ...placeholders, ...path }, requestOf(route, parts));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return errorOfRoute(error, route).error;
    }
  }
  return undefined;
}

export function exampleUrl({ pattern }: Route): string {
  return `https://api.example.com${pattern.replace(/\{\w+\}/g, EXAMPLE_ID)}`;
}

type Fields = Readonly<Record<string, string>>;
type RequestParts = { readonly [Part in "path" | "query" | "headers"]?: Fields } & { readonly body?: Buffer };

function requestOf(route: Route, { body, query = {}, headers = {} }: RequestParts): RawRequest {
  const { origin, pathname } = new URL(exampleUrl(route));
  return {
    id: "",
    time: new Date(0),
    method: route.method,
    path: route.pattern,
    headers,
    body,
    origin,
    encodedPath: pathname,
    rawQuery: String(new URLSearchParams(query)),
    address: "",
  };
}
