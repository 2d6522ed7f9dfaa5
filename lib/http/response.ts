import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { ApiError } from "../domain/errors.ts";
import { textOf } from "../domain/json-text.ts";
import { type ErrorFormat, errorHeaders, formatError, statusByCode, unexpectedErrorBody } from "./errors.ts";
import { JSON_MEDIA_TYPE, mediaTypeOf } from "./media-types.ts";
import { type CreatedResponse, errorFormatOf, type Route, type RouteResponse } from "./route.ts";

/**
 * The size limit of a Lambda response in bytes: of all of it as JSON, including the escapes of its body
 * (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
 */
export const MAX_PAYLOAD_BYTES = 6_291_556;

/** An escape such as `\u0001` is the longest form of a UTF-16 unit in JSON. */
const MAX_BYTES_PER_UNIT = 6;
/** Room for the status and the headers, which the gateway limits to 10,240 bytes. */
export const HEAD_BYTES = 64 * 1_024;

/** Encodes a handler's response for API Gateway, with the headers that the route's declaration implies. */
export function encodeResponse(
  response: RouteResponse | CreatedResponse,
  route: Route | undefined,
): APIGatewayProxyStructuredResultV2 {
  const { status: statusCode, body } = response;
  if (body === undefined)
    return { statusCode, headers: { ...recordHeaders(response, route), ...response.headers } };
  const type = mediaTypeOf(route?.responses[statusCode]);
  if (body instanceof Uint8Array) {
    const headers = { "content-type": type, ...response.headers };
    return { statusCode, headers, body: Buffer.from(body).toString("base64"), isBase64Encoded: true };
  }
  const text = type === JSON_MEDIA_TYPE ? textOf(body) : String(body);
  const headers = { "content-type": type, ...recordHeaders(response, route, text), ...response.headers };
  return { statusCode, headers, body: text };
}

/**
 * Encodes whatever a handler has thrown: an `ApiError` in the area's format, anything else as a 500.
 *
 * @param formatter the route, or the format of the errors of requests that match none
 */
export function encodeError(
  thrown: unknown,
  formatter: Route | ErrorFormat,
  url: string,
): APIGatewayProxyStructuredResultV2 {
  if (!(thrown instanceof ApiError)) return encodeJson(500, {}, unexpectedErrorBody(url));
  const { error, format } =
    typeof formatter === "string" ? { error: thrown, format: formatter } : errorOfRoute(thrown, formatter);
  return encodeJson(statusByCode[error.code], errorHeaders(error), formatError(error, format, url));
}

/**
 * Whether Lambda would refuse a result because of its size. The client would then get the gateway's own 500, which says
 * nothing.
 */
export function isTooLarge(result: APIGatewayProxyStructuredResultV2): boolean {
  const { body = "" } = result;
  if (MAX_BYTES_PER_UNIT * body.length + HEAD_BYTES <= MAX_PAYLOAD_BYTES) return false;
  return Buffer.byteLength(JSON.stringify(result)) > MAX_PAYLOAD_BYTES;
}

/** The error of a request whose response Lambda would refuse. Without `Retry-After`, since it would be as large again. */
export function responseTooLarge(): ApiError {
  return new ApiError(
    "ServiceUnavailable",
    "The response would be larger than 6 MB: request less at once, for example with limit",
  );
}

/** The error as the route's area reports it, and its format. */
function errorOfRoute(error: ApiError, route: Route): { error: ApiError; format: ErrorFormat } {
  const [first, ...others] = error.details;
  if (route.onInvalid && first && error.code === "ValidationError")
    return { error: route.onInvalid([first, ...others]), format: route.errorFormat };
  return { error, format: errorFormatOf(route, statusByCode[error.code]) };
}

/**
 * The entity tag of the record in the response, and what is said of a created one.
 *
 * @param text of the response's body
 */
function recordHeaders(
  response: RouteResponse | CreatedResponse,
  route: Route | undefined,
  text?: string,
): Record<string, string> {
  const created = "creation" in response ? response.creation : undefined;
  const record = (created ? created.record : response.body) as never;
  const json = record === response.body ? text : undefined;
  const tag = record === undefined ? undefined : route?.etag?.(record, json);
  const location = created && route?.location?.(record);
  return {
    ...(tag !== undefined && { etag: `"${tag}"` }),
    ...(location !== undefined && { location }),
    ...(created?.replayed && { "idempotency-replayed": "true" }),
  };
}

function encodeJson(
  statusCode: number,
  headers: Readonly<Record<string, string>>,
  json: unknown,
): APIGatewayProxyStructuredResultV2 {
  if (json === undefined) return { statusCode, headers: { ...headers } };
  return { statusCode, headers: { "content-type": JSON_MEDIA_TYPE, ...headers }, body: JSON.stringify(json) };
}
