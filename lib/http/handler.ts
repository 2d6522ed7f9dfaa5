import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { ApiError } from "../domain/errors.ts";
import { JsonText } from "../domain/json-text.ts";
import { compressResponse } from "./compression.ts";
import { type ErrorFormat, formatError, statusByCode, unexpectedErrorBody } from "./errors.ts";
import { notModified, preconditionFrom } from "./etag.ts";
import { idempotencyContext } from "./idempotency.ts";
import { logRequest } from "./log.ts";
import { JSON_MEDIA_TYPE, mediaTypeOf } from "./media-types.ts";
import { type RawRequest, readEvent } from "./request.ts";
import { errorFormatOf, type Method, type Route, type RouteResponse } from "./route.ts";
import { createRouter, type RouteMatch } from "./router.ts";
import { validate } from "./validation.ts";

/** A Lambda handler behind an HTTP API. */
export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** What a function answers to requests that none of its routes matches. */
export interface NotFoundHandler<Services> {
  readonly errorFormat: ErrorFormat;
  /**
   * @param request the request as it came
   * @param allow the methods that the path does have; none for an unknown path
   * @throws Failure in the dialect above
   */
  handle(request: RawRequest, allow: readonly Method[], services: () => Services): Promise<RouteResponse>;
}

/** All that some routes work with. */
type DependenciesOf<R> = (R extends Route<infer Services> ? (services: Services) => void : never) extends (
  services: infer All,
) => void
  ? All
  : never;

const defaultNotFoundHandler: NotFoundHandler<unknown> = {
  errorFormat: "detail",
  handle: async (_, allow) => {
    throw routeNotFound(allow);
  },
};

/**
 * Turns declared routes into a Lambda handler for HTTP API events, payload format 2.0.
 *
 * Routes are chosen by method and path, never by the event's `routeKey`: how the gateway takes a trailing
 * slash is not documented (docs/adr/0001). The handler always returns an answer: a Failure in the area's
 * dialect, anything else that is thrown as 500, with the cause in the log alone.
 *
 * @param routes the function's declarations
 * @param makeServices makes what the handlers work with; called idempotency per execution environment, when it is
 *   first needed
 * @param unmatched answers what no route matches: 404 and 405 when not given
 */
export function createHandler<R extends Route<never>>(
  routes: readonly R[],
  makeServices: () => DependenciesOf<R>,
  unmatched: NotFoundHandler<DependenciesOf<R>> = defaultNotFoundHandler,
): HttpHandler {
  type Services = DependenciesOf<R>;
  const find = createRouter<Services>(routes);
  let made: Services | undefined;
  const services = () => {
    made ??= makeServices();
    return made;
  };

  async function answerTo(request: RawRequest, found: RouteMatch<Services>): Promise<RouteResponse> {
    const { route } = found;
    if (route === undefined) return unmatched.handle(request, found.allow, services);
    const caller = await route.authorizer?.authorize(request.headers, services() as never);
    const valid = validate(route, found.path, request);
    const precondition = preconditionFrom(route, request.headers);
    const idempotency = idempotencyContext(route, found.path, request, caller);
    return route.handle({ ...valid, caller: caller as never, precondition, idempotency }, services());
  }

  return async (event, context) => {
    const started = performance.now();
    const request = readEvent(event);
    const found = find(request.method, request.path);
    const { route } = found;
    let error: unknown;
    let result: APIGatewayProxyStructuredResultV2;
    try {
      result = encode(await answerTo(request, found), route);
    } catch (thrown) {
      error = thrown;
      const url = route?.secretQuery ? request.url.replace(/\?.*$/s, "") : request.url;
      result = encodeFailure(thrown, route ?? unmatched.errorFormat, url);
    }
    result = compressResponse(result, request.headers);
    if (request.method === "GET") result = notModified(result, request.headers);
    result.headers = { ...result.headers, "x-request-id": request.id };
    logRequest(
      context,
      {
        requestId: request.id,
        route: route === undefined ? "unmatched" : `${route.method} ${route.pattern}`,
        status: result.statusCode ?? 200,
        milliseconds: performance.now() - started,
      },
      error,
    );
    return result;
  };
}

/**
 * The failure of a request that no operation matches.
 *
 * @param allow the methods that the path does have; none for an unknown path
 * @returns `NotFound`, or `MethodNotAllowed` with an `Allow` header
 */
export function routeNotFound(allow: readonly Method[]): ApiError {
  if (allow.length === 0) return new ApiError("NotFound", "Not Found");
  return new ApiError("MethodNotAllowed", "Method Not Allowed", { headers: { allow: allow.join(", ") } });
}

function encode(
  { status, body, headers: own }: RouteResponse,
  route: Route<never> | undefined,
): APIGatewayProxyStructuredResultV2 {
  if (body === undefined) return { statusCode: status, headers: { ...own } };
  const tag = route?.etag?.(body as never);
  const headers = tag === undefined ? own : { etag: `"${tag}"`, ...own };
  const type = mediaTypeOf(route?.responses[status]);
  const head = { statusCode: status, headers: { "content-type": type, ...headers } };
  if (body instanceof Uint8Array) {
    return { ...head, body: Buffer.from(body).toString("base64"), isBase64Encoded: true };
  }
  return {
    ...head,
    body: type === JSON_MEDIA_TYPE ? jsonOf(body) : String(body),
  };
}

function jsonOf(body: unknown): string {
  return body instanceof JsonText ? body.text : JSON.stringify(body);
}

function encodeFailure(
  thrown: unknown,
  speaker: Route<never> | ErrorFormat,
  url: string,
): APIGatewayProxyStructuredResultV2 {
  if (!(thrown instanceof ApiError)) return encodeJson(500, {}, unexpectedErrorBody(url));
  const { failure, dialect } =
    typeof speaker === "string" ? { failure: thrown, dialect: speaker } : worded(thrown, speaker);
  return encodeJson(statusByCode[failure.code], failure.headers, formatError(failure, dialect, url));
}

/** A failure as the route's area has it, and the dialect that it is told in. */
function worded(failure: ApiError, route: Route<never>): { failure: ApiError; dialect: ErrorFormat } {
  const [first, ...others] = failure.details;
  if (route.onInvalid && first && failure.code === "ValidationError") {
    return { failure: route.onInvalid([first, ...others]), dialect: route.errorFormat };
  }
  return { failure, dialect: errorFormatOf(route, statusByCode[failure.code]) };
}

function encodeJson(
  statusCode: number,
  headers: Readonly<Record<string, string>>,
  json: unknown,
): APIGatewayProxyStructuredResultV2 {
  if (json === undefined) return { statusCode, headers: { ...headers } };
  return {
    statusCode,
    headers: { "content-type": JSON_MEDIA_TYPE, ...headers },
    body: JSON.stringify(json),
  };
}
