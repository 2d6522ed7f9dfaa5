import { once } from "node:events";
import { request as httpRequest } from "node:http";
import type { ServedRequest } from "../api-gateway/gateway.ts";
import type { RequestToSend } from "./model.ts";
import { mask, shownBody } from "./shown-body.ts";

/** Those that describe the connection or the body, which may have been edited. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|expect)$/i;

const hiddenParameter = new RegExp(`([^?&=]+)=${mask}`, "g");

/** The parameters of a query by their names, each as it was sent. */
function queryOf(target: string): Map<string, string> {
  const parameters = target.split("?").slice(1).join("?").split("&");
  return new Map(parameters.map((text) => [text.split("=")[0] ?? "", text]));
}

/** Sends a request to the gateway, with the secrets of the served one wherever they are still hidden. */
export async function sendAgain(edited: RequestToSend, served: ServedRequest, port: number): Promise<void> {
  const { rawHeaders, requestBody = Buffer.alloc(0) } = served;
  const headers: Record<string, string> = {};
  for (const [name, value] of edited.requestHeaders) {
    const at = rawHeaders.findIndex((each, i) => i % 2 === 0 && each.toLowerCase() === name.toLowerCase());
    if (!ownHeaders.test(name)) headers[name] = value === mask ? (rawHeaders[at + 1] ?? "") : value;
  }
  const isUnchanged = edited.requestBody === shownBody(requestBody);
  const body = isUnchanged ? requestBody : Buffer.from(edited.requestBody);
  const request = httpRequest({
    port,
    host: "localhost",
    method: edited.method,
    path: edited.target.replaceAll(hiddenParameter, (all, name) => queryOf(served.target).get(name) ?? all),
    headers: { ...headers, "content-length": body.length },
  });
  const [response] = await once(request.end(body), "response");
  response.resume();
  await once(response, "end");
}
