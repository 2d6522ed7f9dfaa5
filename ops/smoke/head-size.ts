import type { ClientRequest, ClientResponse } from "../cli/http-client.ts";

/** Sends a request of a probe. */
export type Ask = (request: Partial<ClientRequest>) => Promise<ClientResponse>;

const target = "/health";

/**
 * Finds the largest head, request line and headers, that is let through, between 4,000 and 20,000 bytes.
 *
 * @param ask sends requests
 * @param host the host that it sends them to
 */
export async function largestHead(ask: Ask, host: string): Promise<string> {
  let [accepted, refused] = [4_000, 20_000];
  let refusal = 0;
  while (refused - accepted > 1) {
    const size = Math.floor((accepted + refused) / 2);
    const { status } = await askWithHead(ask, host, size);
    if (status === 200) {
      accepted = size;
    } else {
      refused = size;
      refusal = status;
    }
  }
  if (refusal === 0) return `${refused - 1} bytes and more are let through`;
  return `up to ${accepted} bytes are let through, more is ${refusal}`;
}

/** The size counts the request line and every header, each with its line break. */
function askWithHead(ask: Ask, host: string, size: number) {
  const headers = { host, connection: "keep-alive", "x-padding": "" };
  const sizes = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`.length);
  const rest = sizes.reduce((sum, each) => sum + each, `GET ${target} HTTP/1.1\r\n`.length);
  return ask({ target, headers: { ...headers, "x-padding": "x".repeat(size - rest) } });
}
