import { isUtf8 } from "node:buffer";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ApiError, type FieldError, type FieldErrorType } from "../domain/errors.ts";
import { clientAddress, publicAddress } from "./proxy.ts";

export class RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;

  constructor(path: string, query: URLSearchParams) {
    this.path = path;
    this.query = query;
  }

  /** A relative link, which survives a proxy's path prefix, with some parameters set, or removed if undefined. */
  with(parameters: Readonly<Record<string, string | undefined>>): string {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(parameters))
      value === undefined ? query.delete(name) : query.set(name, value);
    return query.size === 0 ? "" : `?${query}`;
  }
}

export interface RawRequest {
  readonly id: string;
  readonly time: Date;
  /** GET for a HEAD. */
  readonly method: string;
  /** The client wants what GET would get, without the body (RFC 9110, 9.3.2). */
  readonly isHead?: boolean;
  readonly path: string;
  /** Names in lower case; duplicates joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly origin: string;
  /** As nearly as the client sent it as possible. */
  readonly encodedPath: string;
  /** As the client sent it, without the question mark. */
  readonly rawQuery: string;
  /** The client's; empty for requests of the deployment itself. */
  readonly address: string;
}

/** Tools that imitate the gateway leave parts out, or send null. */
type EventParts<T> = { readonly [K in keyof T]?: (T[K] extends object ? EventParts<T[K]> : T[K]) | null };

/** Reads an HTTP API event, payload format 2.0. Never throws: missing parts are empty. */
export function readEvent(event: EventParts<APIGatewayProxyEventV2> | null): RawRequest {
  const { rawPath, rawQueryString, body, requestContext, headers: sent, isBase64Encoded } = event ?? {};
  const { http, requestId, domainName, timeEpoch } = requestContext ?? {};
  // The HTTP API sends names in lower case, SAM as `If-Match`.
  const headers: Record<string, string> = {};
  for (const name in sent) headers[name.toLowerCase()] = sent[name] ?? "";
  const path = typeof rawPath === "string" ? rawPath : "/";
  const isHead = http?.method === "HEAD";
  return {
    id: requestId ?? "",
    time: new Date(timeEpoch ?? Date.now()),
    method: isHead ? "GET" : (http?.method ?? "GET"),
    isHead,
    path,
    headers,
    body: bytesOf(body, isBase64Encoded ? "base64" : "utf8"),
    origin: publicAddress(headers, domainName),
    encodedPath: encodeURI(path.toWellFormed()).replace(/[?#]/g, encodeURIComponent),
    // `queryStringParameters` joins duplicates with commas, so that they cannot be told apart.
    rawQuery: rawQueryString ?? "",
    address: clientAddress(headers, http?.sourceIp ?? undefined),
  };
}

function bytesOf(body: unknown, encoding: "base64" | "utf8"): Buffer | undefined {
  return typeof body === "string" ? Buffer.from(body, encoding) : undefined;
}

/** @throws TypeError for the event of another trigger, or of a gateway whose stage is in an unknown path */
export function assertHttpEvent(event: EventParts<APIGatewayProxyEventV2> | null, isKnown: boolean): void {
  const { rawPath, requestContext } = event ?? {};
  if (typeof rawPath !== "string")
    throw new TypeError(
      "The function was invoked with an event that is not an HTTP API's, payload format 2.0",
    );
  const { stage } = requestContext ?? {};
  if (!isKnown && stage !== "$default" && rawPath.startsWith(`/${stage}/`))
    throw new TypeError("The path begins with the gateway's stage: use the stage $default");
}

/** The URL as the client sent it, without its query if that carries secrets. */
export function urlOf({ origin, encodedPath, rawQuery }: RawRequest, hasSecretQuery = false): string {
  return origin + encodedPath + (rawQuery === "" || hasSecretQuery ? "" : `?${rawQuery}`);
}

/**
 * The reference by which a client finds another path, also behind a proxy that has removed a prefix.
 * @example relativeReference("/users/7/posts", "/users/7/posts/1"); // "../../users/7/posts/1"
 */
export function relativeReference(from: string, to: string): string {
  return "../".repeat(Math.max(0, from.split("/").length - 2)) + to.slice(1);
}

/** @throws ApiError `UnsupportedMediaType` for a compressed body, which could expand without a limit */
export function refuseEncodedBody({ body, headers }: Pick<RawRequest, "body" | "headers">): void {
  if (body === undefined || /^(\s*(identity\s*)?)$/i.test(headers["content-encoding"] ?? "")) return;
  throw encodedBody();
}

export function encodedBody(): ApiError {
  return new ApiError("UnsupportedMediaType", "Send the body without Content-Encoding", {
    headers: { "accept-encoding": "identity" },
  });
}

const utf8 = new TextDecoder();

type Decoded<T> = T | { readonly error: FieldError };

export type ParameterLists = Readonly<Record<string, readonly unknown[]>>;

/** As much as the gateway accepts of request line and headers. */
const MAX_PARAMETERS_BYTES = 10_240;

/** Reads a JSON body whatever its content type. An empty body has the value undefined. */
export function readJson(bytes?: Buffer): Decoded<{ readonly value: unknown; readonly text: string }> {
  if (bytes === undefined || bytes.length === 0) return { value: undefined, text: "" };
  if (!isUtf8(bytes)) return bodyError("Must be valid UTF-8", "utf8_invalid");
  const text = utf8.decode(bytes);
  try {
    return { value: JSON.parse(text), text };
  } catch {
    return bodyError("Must be valid JSON", "json_invalid");
  }
}

/** Reads a JSON object or a form. A megabyte of fields takes seconds to check, so large bodies are refused. */
export function readParameters({
  body,
  headers,
}: Pick<RawRequest, "body" | "headers">): Decoded<{ readonly value: ParameterLists }> {
  if (body && body.length > MAX_PARAMETERS_BYTES)
    return bodyError("Must have at most 10,240 bytes", "too_big");
  const json = readJson(body);
  if ("value" in json && isObject(json.value)) return { value: toParameterLists(Object.entries(json.value)) };
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "");
  if (isForm && body && isUtf8(body))
    return { value: toParameterLists(new URLSearchParams(utf8.decode(body))) };
  if ("error" in json) return json;
  return json.value === undefined || json.value === null
    ? { value: {} }
    : bodyError("Must be a JSON object or a form", "invalid_type");
}

/** @example toParameterLists(new URLSearchParams("tag=a&page=2&tag=b")); // { tag: ["a", "b"], page: ["2"] } */
export function toParameterLists(pairs: Iterable<readonly [string, unknown]>): ParameterLists {
  // Without a prototype, `__proto__` is a parameter like any other.
  const lists: Record<string, unknown[]> = Object.create(null);
  for (const [name, value] of pairs) {
    lists[name] ??= [];
    lists[name].push(value);
  }
  return lists;
}

function bodyError(message: string, type: FieldErrorType): { error: FieldError } {
  return { error: { field: "body", message, type } };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
