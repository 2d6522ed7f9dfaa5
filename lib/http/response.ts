import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { ApiError } from "../domain/errors.ts";
import {
  acceptsProblem,
  type ErrorFormat,
  errorHeaders,
  formatError,
  formatProblem,
  PROBLEM_MEDIA_TYPE,
  parseWeights,
  statusByCode,
  unexpectedError,
} from "./errors.ts";
import {
  type CreatedResponse,
  errorFormatOf,
  isCreation,
  JSON_MEDIA_TYPE,
  mediaTypesOf,
  type Route,
  type RouteResponse,
} from "./route.ts";

/** A JSON document as text: parsing would change 1.0, 1e400, duplicate names and the order of numeric names. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function textOf(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** The limit of a Lambda response in bytes, as JSON with the escapes of its body. */
export const MAX_PAYLOAD_BYTES = 6_291_556;

/** A UTF-16 unit is at most six bytes of JSON: `\u0001`. */
const MAX_BYTES_PER_UNIT = 6;
/** Room for the status and the headers, which the gateway limits to 10,240 bytes. */
export const HEAD_BYTES = 64 * 1_024;

/** Encodes a handler's response for API Gateway, with the headers that the route's declaration implies. */
export function encodeResponse(response: RouteResponse | CreatedResponse, route: Route | undefined) {
  const { status: statusCode, body } = response;
  if (body === undefined)
    return { statusCode, headers: { ...recordHeaders(response, route), ...response.headers } };
  const [type] = mediaTypesOf(route?.responses[statusCode]);
  const isBase64Encoded = body instanceof Uint8Array;
  const text = isBase64Encoded
    ? Buffer.from(body).toString("base64")
    : type === JSON_MEDIA_TYPE
      ? textOf(body)
      : String(body);
  const implied = recordHeaders(response, route, isBase64Encoded ? undefined : text);
  const headers = { "content-type": type, ...implied, ...response.headers };
  return { statusCode, headers, body: text, ...(isBase64Encoded && { isBase64Encoded }) };
}

/** Encodes whatever a handler has thrown: in the area's format, or as problem details. */
export function encodeError(
  thrown: unknown,
  formatter: Route | ErrorFormat,
  url: string,
  accept: string | undefined,
): APIGatewayProxyStructuredResultV2 {
  const { error, format } =
    thrown instanceof ApiError
      ? errorOfRoute(thrown, formatter)
      : { error: unexpectedError(thrown), format: "structured" as const };
  const isProblem = acceptsProblem(accept);
  const body = isProblem ? formatProblem(error, url) : formatError(error, format, url);
  const type = isProblem ? PROBLEM_MEDIA_TYPE : JSON_MEDIA_TYPE;
  return {
    statusCode: statusByCode[error.code],
    headers: { ...(body && { "content-type": type }), vary: "accept", ...errorHeaders(error) },
    ...(body && { body: JSON.stringify(body) }),
  };
}

/** Whether Lambda would refuse a result, so that the gateway would send its own 500. */
export function isTooLarge(result: APIGatewayProxyStructuredResultV2): boolean {
  const { body = "" } = result;
  if (MAX_BYTES_PER_UNIT * body.length + HEAD_BYTES <= MAX_PAYLOAD_BYTES) return false;
  return Buffer.byteLength(JSON.stringify(result)) > MAX_PAYLOAD_BYTES;
}

/** The response to a HEAD has the length of GET's body. */
export function withoutBody({
  body,
  isBase64Encoded,
  ...result
}: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 {
  if (body === undefined) return result;
  const length = Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8");
  return { ...result, headers: { ...result.headers, "content-length": String(length) } };
}

/** Without `Retry-After`, since the response would be as large again. */
export function responseTooLarge(): ApiError {
  return new ApiError(
    "ServiceUnavailable",
    "The response would be larger than 6 MB: request less, for example with `limit`",
  );
}

export function errorOfRoute(error: ApiError, formatter: Route | ErrorFormat) {
  if (typeof formatter === "string") return { error, format: formatter };
  const [first, ...others] = error.details;
  if (formatter.onInvalid && first)
    return { error: formatter.onInvalid([first, ...others]), format: formatter.errorFormat };
  const format = errorFormatOf(formatter, statusByCode[error.code]);
  return { error: isCreation(formatter) ? withOutcomeUnknown(error) : error, format };
}

/** A creation that ends with a 503 that can be repeated may still take effect (docs/writes.md). */
function withOutcomeUnknown(error: ApiError): ApiError {
  const { code, message, retryAfterSeconds, cause } = error;
  if (code !== "ServiceUnavailable" || retryAfterSeconds === undefined) return error;
  const advice = "It may still be created: repeat the request with the same Idempotency-Key to find out";
  return new ApiError(code, `${message}. ${advice}`, { cause, retryAfterSeconds });
}

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

/** A smaller response fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_024;

/** An import would add 1 to 2 ms to every cold start. */
const loadZlib = () => process.getBuiltinModule("node:zlib");

/** The supported encodings, best first, at fast levels (docs/adr/0011). */
const encoders = {
  br: (bytes: Buffer) => {
    const { brotliCompressSync, constants } = loadZlib();
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    return brotliCompressSync(bytes, { params });
  },
  gzip: (bytes: Buffer) => loadZlib().gzipSync(bytes, { level: 1 }),
} as const;
export type ContentEncoding = keyof typeof encoders;

/** Compresses a response if the client accepts it. The entity tag gets the encoding (RFC 9110, 8.8.3.3). */
export function compressResponse(
  result: APIGatewayProxyStructuredResultV2,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyStructuredResultV2 {
  const { body = "", headers: own = {} } = result;
  // The documentation's files were compressed when they were built.
  if (result.isBase64Encoded) return result;
  const isText = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/.test(String(own["content-type"]));
  // UTF-8 needs at least one byte per UTF-16 unit, so most short texts need not be measured.
  if (!isText || (body.length < MIN_COMPRESSED_BYTES && Buffer.byteLength(body) < MIN_COMPRESSED_BYTES))
    return result;
  const vary = [own.vary, "accept-encoding"].filter((name) => name !== undefined).join(", ");
  const plain = { ...result, headers: { ...own, vary } };
  const encoding = negotiateEncoding(headers["accept-encoding"]);
  if (encoding === undefined) return plain;
  const bytes = Buffer.from(body);
  const compressed = encoders[encoding](bytes).toString("base64");
  // Base64 adds a third, and counts towards the limit of a Lambda response.
  if (compressed.length >= bytes.length) return plain;
  const etag = own.etag && { etag: String(own.etag).replace(/"$/, `.${encoding}"`) };
  return {
    ...result,
    headers: { ...own, ...etag, vary, "content-encoding": encoding },
    body: compressed,
    isBase64Encoded: true,
  };
}

/** The encoding that a client prefers (RFC 9110, 12.5.3), or undefined. Brotli wins ties, then gzip. */
export function negotiateEncoding(header: string | undefined): ContentEncoding | undefined {
  const weights = parseWeights(header?.replace(/x-gzip/gi, "gzip"));
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const plain = weights.get("identity") ?? 0;
  const [best] = (Object.keys(encoders) as ContentEncoding[])
    .filter((name) => weightOf(name) > 0 && weightOf(name) >= plain)
    .sort((a, b) => weightOf(b) - weightOf(a));
  return best;
}
