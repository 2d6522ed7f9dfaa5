import { parseJson } from "../../infra/documentation/parse-json.ts";
import { isObject } from "../json.ts";

/** An HTTP response, before the gateway adds its own headers. */
export interface GatewayResponse {
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** Headers that only the gateway sets, besides `content-length`, which it needs from the function for a HEAD. */
const gatewayHeaders = new Set(["connection", "keep-alive", "transfer-encoding"]);

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** An error response of the gateway itself, such as 404 `{"message":"Not Found"}`. */
export function errorResponse(
  statusCode: number,
  message: string,
  headers: GatewayResponse["headers"] = {},
): GatewayResponse {
  const body = Buffer.from(JSON.stringify({ message }));
  return { statusCode, headers: { "content-type": "application/json", ...headers }, cookies: [], body };
}

/**
 * Converts a function's result into an HTTP response (payload format 2.0). A result without `statusCode` becomes the
 * body of a 200 with type `application/json`: a string without its quotation marks, anything else as it is, even if it
 * is not JSON (docs/adr/0001).
 *
 * @returns the response, or a text that says why the result is malformed
 */
export function readResponse(payload: string): GatewayResponse | string {
  const result = parseJson(payload);
  if (!isObject(result) || result.statusCode === undefined) {
    const body = Buffer.from(typeof result === "string" ? result : payload);
    return { statusCode: 200, headers: { "content-type": "application/json" }, cookies: [], body };
  }
  const { statusCode, body = "", isBase64Encoded = false, cookies = [] } = result;
  if (!isStatus(statusCode)) return `statusCode is ${JSON.stringify(statusCode)}`;
  if (body !== null && typeof body !== "string") return "body is not a string";
  if (typeof isBase64Encoded !== "boolean") return "isBase64Encoded is not a boolean";
  if (!Array.isArray(cookies) || !cookies.every(isHeaderText)) return "cookies is not an array of strings";
  const headers = readHeaders(result.headers ?? {});
  if (typeof headers === "string") return headers;
  headers["content-type"] ??= "text/plain; charset=utf-8";
  return { statusCode, headers, cookies, body: Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8") };
}

function readHeaders(headers: unknown): Record<string, string> | string {
  if (!isObject(headers)) return "headers is not an object";
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    if (!headerName.test(name) || !isHeaderText(text))
      return `the header ${JSON.stringify(name)} is malformed`;
    if (!gatewayHeaders.has(name.toLowerCase())) read[name.toLowerCase()] = text;
  }
  return read;
}

function isHeaderText(value: unknown): value is string {
  return typeof value === "string" && headerValue.test(value);
}

/** Interim responses (1xx) are refused: the client would keep waiting for the final one. */
function isStatus(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 599;
}
