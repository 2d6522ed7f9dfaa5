import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { parseJson } from "../../lib/parse-json.ts";
import type { GatewayResponse } from "../api-gateway/response.ts";

const maxBytes = 200_000;
const maxLength = 4_000;

/** Fields with credentials, in JSON and in forms. */
const secretNames = /password|token|secret/i;
const secretForms = /((?:^|&)[^=&]*(?:password|token|secret)[^=&]*=)[^&]*/gi;
export const mask = "•••";

const secretHeaders = /^(authorization|cookie|set-cookie|x-api-key|x-proxy-secret|proxy-authorization)$/i;

export function shownHead(first: string | number, headers: readonly (readonly string[])[]): string {
  const lines = headers.map(([name = "", value]) => `${name}: ${secretHeaders.test(name) ? mask : value}`);
  return [first, ...lines].join("\n");
}

export function maskForm(text: string): string {
  return text.replaceAll(secretForms, `$1${mask}`);
}

export function shownBody(body: Buffer): string {
  if (body.length > maxBytes) return `${body.length} bytes, which are too many to show`;
  const text = body.toString("utf8");
  const parsed = parseJson(text);
  if (parsed !== undefined) return shorten(JSON.stringify(parsed, maskSecret, 2));
  // Broken JSON may be that of a login, so it is shown only if nothing in it looks like a credential.
  const shown = maskForm(text);
  if (shown === text && secretNames.test(text))
    return "Not shown: it is not valid JSON and may contain a credential.";
  return text.includes("\uFFFD") ? `${body.length} bytes that are not text` : shorten(shown);
}

export function decodedBody({ headers, body }: Pick<GatewayResponse, "headers" | "body">): Buffer {
  const encoding = headers["content-encoding"];
  if (encoding === "br") return brotliDecompressSync(body);
  return encoding === "gzip" ? gunzipSync(body) : body;
}

/** Replaces the values of credentials: for `JSON.stringify`. */
export function maskSecret(name: string, value: unknown): unknown {
  return secretNames.test(name) && name !== "token_type" && typeof value === "string" ? mask : value;
}

function shorten(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}\n… of ${text.length} characters` : text;
}
