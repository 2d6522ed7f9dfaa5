import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";

/** Below this, what is saved does not pay for the work; the answer fits into one packet anyway. */
const WORTHWHILE_BYTES = 1_024;

/**
 * How to compress, best first. Both at their quickest but for brotli's 0: of 5 MB of JSON brotli makes 29 % in
 * 24 ms, gzip 30 % in 43 ms; the next better levels take twice the time for a point or two (docs/adr/0011).
 */
const codings = {
  br: (bytes: Buffer) =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 1,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 1 }),
} as const;
export type ContentEncoding = keyof typeof codings;

/**
 * Compresses an answer where the client takes it so and it is worth it: the gateway does not by itself. The
 * compressed one is another representation, so that its entity tag gets the coding's name (RFC 9110, 8.8.3.3).
 *
 * @param result the answer
 * @param headers the request's, names in lower case
 * @returns the answer as it is to be sent; with `vary` wherever the client could have had it otherwise
 */
export function compressResponse(
  result: APIGatewayProxyStructuredResultV2,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyStructuredResultV2 {
  const { body = "", headers: own = {} } = result;
  // Bytes go as they are: the documentation's files were compressed when they were built.
  if (result.isBase64Encoded) return result;
  const isText = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/.test(String(own["content-type"]));
  // No text is shorter in UTF-8 than it is long.
  if (!isText || (body.length < WORTHWHILE_BYTES && Buffer.byteLength(body) < WORTHWHILE_BYTES))
    return result;
  const vary = [own.vary, "accept-encoding"].filter((name) => name !== undefined).join(", ");
  const plain = { ...result, headers: { ...own, vary } };
  const coding = negotiateEncoding(headers["accept-encoding"]);
  if (coding === undefined) return plain;
  const bytes = Buffer.from(body);
  const packed = codings[coding](bytes);
  if (packed.length >= bytes.length) return plain;
  const etag = own.etag && { etag: String(own.etag).replace(/"$/, `.${coding}"`) };
  return {
    ...result,
    headers: { ...own, ...etag, vary, "content-encoding": coding },
    body: packed.toString("base64"),
    isBase64Encoded: true,
  };
}

/**
 * The coding that a client likes best of those that we have (RFC 9110, 12.5.3). Of equals it is ours: brotli,
 * then gzip, then none.
 *
 * @param header the value of `Accept-Encoding`; without it, nothing is compressed
 * @returns undefined for none
 */
export function negotiateEncoding(header: string | undefined): ContentEncoding | undefined {
  const weights = new Map<string, number>();
  for (const element of (header ?? "").toLowerCase().split(",")) {
    const [, name, weight = "1"] = element.match(/^\s*([^\s;]+)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?\s*$/) ?? [];
    if (name !== undefined) weights.set(name === "x-gzip" ? "gzip" : name, Math.min(1, Number(weight)));
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const plain = weights.get("identity") ?? 0;
  const [best] = (Object.keys(codings) as ContentEncoding[])
    .filter((name) => weightOf(name) > 0 && weightOf(name) >= plain)
    .sort((a, b) => weightOf(b) - weightOf(a));
  return best;
}
