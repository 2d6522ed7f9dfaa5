import { parseJson } from "../../lib/parse-json.ts";
import { isObject } from "../json.ts";

/** An HTTP response, before the gateway adds its own headers. */
export interface GatewayResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Headers that only the gateway sets. `content-length` is the function's own for a HEAD. */
const gatewayHeaders = new Set(["connection", "keep-alive", "transfer-encoding"]);

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

export function errorResponse(statusCode: number, message: string, headers: GatewayResponse["headers"] = {}) {
  const body = Buffer.from(JSON.stringify({ message }));
  return { statusCode, headers: { "content-type": "application/json", ...headers }, body };
}

/**
 * Converts a function's result (payload format 2.0). One without `statusCode` becomes the body of a 200
 * (docs/adr/0001).
 * @returns undefined if the result is malformed, or has cookies, which this service never uses
 */
export function readResponse(payload: string): GatewayResponse | undefined {
  const result = parseJson(payload);
  if (!isObject(result) || result.statusCode === undefined) {
    const body = Buffer.from(typeof result === "string" ? result : payload);
    return { statusCode: 200, headers: { "content-type": "application/json" }, body };
  }
  const { statusCode, body = "", isBase64Encoded = false, cookies } = result;
  const headers = readHeaders(result.headers ?? {});
  if (!isStatus(statusCode) || headers === undefined || typeof body !== "string" || cookies) return undefined;
  headers["content-type"] ??= "text/plain; charset=utf-8";
  return { statusCode, headers, body: Buffer.from(body, isBase64Encoded ? "base64" : "utf8") };
}

function readHeaders(headers: unknown): Record<string, string> | undefined {
  if (!isObject(headers)) return undefined;
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name) || typeof value !== "string" || !headerValue.test(value)) return undefined;
    if (!gatewayHeaders.has(name.toLowerCase())) read[name.toLowerCase()] = value;
  }
  return read;
}

/** Interim responses (1xx) are refused: the client would keep waiting for the final one. */
function isStatus(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 599;
}
