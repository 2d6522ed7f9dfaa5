import * as z from "zod/mini";
import { ApiError } from "../../lib/domain/errors.ts";
import { type RawRequest, RequestTarget } from "../../lib/http/request.ts";
import type { Route } from "../../lib/http/route.ts";
import { validate } from "../../lib/http/validation.ts";
import { EXAMPLE_ID, exampleUrl } from "./example-url.ts";

/** Nearly every parameter rejects one of these. */
const INVALID_VALUES = ["0", "x", "", "\ud800"];

/**
 * The error of a route for invalid requests. It comes from the service's own validation, which gets requests with an
 * empty object, without a body, and with an invalid value in each parameter.
 *
 * @returns undefined when every request is valid: `GET /health` has no parameters, and a todo's id that is not an
 *   integer is just unknown
 */
export function invalidRequestError(route: Route): ApiError | undefined {
  const placeholders = Object.fromEntries(namesOf(route.request.path).map((name) => [name, EXAMPLE_ID]));
  const requests = [
    ...(route.request.body ? [requestOf(route, { body: Buffer.from("{}") })] : []),
    requestOf(route, {}),
    ...INVALID_VALUES.flatMap((value) => [
      ...namesOf(route.request.query).map((name) => requestOf(route, { query: { [name]: value } })),
      ...namesOf(route.request.headers).map((name) => requestOf(route, { headers: { [name]: value } })),
    ]),
  ];
  const attempts = [
    ...requests.map((request) => ({ path: placeholders, request })),
    ...INVALID_VALUES.flatMap((value) =>
      namesOf(route.request.path).map((name) => ({
        path: { ...placeholders, [name]: value },
        request: requestOf(route, {}),
      })),
    ),
  ];
  for (const { path, request } of attempts) {
    try {
      validate(route, path, request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const [first, ...others] = error.details;
      return route.onInvalid && first ? route.onInvalid([first, ...others]) : error;
    }
  }
  return undefined;
}

interface RequestParts {
  readonly body?: Buffer;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

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
    target: new RequestTarget(pathname, new URLSearchParams(query)),
    rawQuery: "",
    address: "",
  };
}

function namesOf(validator: z.ZodMiniType | undefined): string[] {
  return validator instanceof z.ZodMiniObject ? Object.keys(validator.shape) : [];
}
