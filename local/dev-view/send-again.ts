import { once } from "node:events";
import { request as httpRequest, type RequestOptions } from "node:http";
import { buffer } from "node:stream/consumers";
import { CommandError } from "../../cli/errors.ts";
import { credentialHeaders } from "../../infra/documentation/code-sample.ts";
import { parseJson } from "../../infra/documentation/parse-json.ts";
import type { ServedRequest } from "../api-gateway/gateway.ts";
import type { SecretValues } from "../aws/secret-values.ts";
import type { MessageToSend } from "./model.ts";
import { readHead } from "./read-head.ts";
import { mask, shownBody } from "./shown-body.ts";

/** Those that describe the connection or the body, which may have been edited. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|expect|accept-encoding)$/i;

const hiddenParameter = new RegExp(`([^?&=]+)=${mask}`, "g");

/**
 * Sends a request to the gateway. What is hidden (`•••`) is sent as in the original; without one, credentials
 * are the run's own.
 *
 * @returns the status and the body, for people
 * @throws {CommandError} for what can't be sent as it is shown
 */
export async function sendAgain(
  edited: MessageToSend,
  original: ServedRequest | undefined,
  { port, secrets }: { readonly port: number; readonly secrets: SecretValues },
): Promise<string> {
  const { rawHeaders = [], requestBody = Buffer.alloc(0), target = "" } = original ?? {};
  const { method, ...head } = readHead(edited.head);
  const headers: Record<string, string> = {};
  for (const [name, value] of head.headers) {
    const at = rawHeaders.findIndex((each, i) => i % 2 === 0 && each.toLowerCase() === name.toLowerCase());
    if (ownHeaders.test(name)) continue;
    headers[name] =
      value === mask ? (rawHeaders[at + 1] ?? (await ownCredential(name, port, secrets))) : value;
  }
  const parameters = new Map(target.split(/[?&]/).map((each) => [each.split("=")[0], each]));
  const path = head.target.replaceAll(hiddenParameter, (all, name) => parameters.get(name) ?? all);
  const isUnchanged = original !== undefined && edited.body === shownBody(requestBody);
  const texts = [path, ...Object.values(headers), isUnchanged ? "" : edited.body];
  if (texts.some((each) => each.includes(mask)))
    throw new CommandError(
      `Replace each ${mask}: an edited body is sent as it is, and old requests are forgotten.`,
    );
  if (!isUnchanged && /\n… of \d+ characters$/.test(edited.body))
    throw new CommandError("Only a part of the body is shown: it can be sent again, but not edited.");
  const body = isUnchanged ? requestBody : Buffer.from(edited.body);
  const [status, response] = await send({ port, path, method, headers }, body);
  return `${status}\n${shownBody(response)}`;
}

async function send(options: RequestOptions & { headers: object }, body: Buffer): Promise<[number, Buffer]> {
  const headers = { ...options.headers, "content-length": body.length };
  const [response] = await once(
    httpRequest({ host: "localhost", ...options, headers }).end(body),
    "response",
  );
  return [response.statusCode, await buffer(response)];
}

async function ownCredential(name: string, port: number, secrets: SecretValues): Promise<string> {
  if (name === credentialHeaders.apiKey.name) return (secrets.ApiKeys ?? "").split(",")[0] ?? mask;
  if (name !== credentialHeaders.bearer.name) return mask;
  const account = JSON.stringify({ username: "admin", password: secrets.AdminPassword });
  const headers = { "content-type": "application/json" };
  const [, login] = await send({ port, path: "/auth/login", method: "POST", headers }, Buffer.from(account));
  return `${credentialHeaders.bearer.prefix}${Object(parseJson(login.toString())).access_token ?? mask}`;
}
