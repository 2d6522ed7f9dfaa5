import { once } from "node:events";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { CommandError } from "../../cli/errors.ts";
import { credentialHeaders } from "../../infra/documentation/code-sample.ts";
import { parseJson } from "../../lib/parse-json.ts";
import { apiKeyOf, type SecretValues } from "../aws/secret-values.ts";
import { type Message, readHead } from "./model.ts";
import { mask, shownBody } from "./shown-body.ts";
import type { KeptRequest } from "./shown-request.ts";

/** Those that describe the connection or the body, which may have been edited. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|expect|accept-encoding)$/i;

const hiddenParameter = new RegExp(`([^?&=]+)=${mask}`, "g");

/**
 * Sends a request to the gateway. What is hidden (`•••`) is sent as in the original; without one, credentials are the
 * run's own.
 * @throws {CommandError} for what can't be sent as it is shown
 */
export async function sendAgain(
  edited: Message,
  shown: readonly KeptRequest[],
  port: number,
  secrets: SecretValues,
): Promise<string> {
  const original = shown.find(({ served }) => served.requestId === edited.id)?.served;
  const { rawHeaders = [], requestBody = Buffer.alloc(0), target = "" } = original ?? {};
  const head = readHead(edited.head);
  const headers: Record<string, string> = {};
  for (const [name, value] of head.headers.filter(([name]) => !ownHeaders.test(name))) {
    const at = rawHeaders.findIndex((each, i) => i % 2 === 0 && each.toLowerCase() === name.toLowerCase());
    const hidden = () => rawHeaders[at + 1] ?? ownCredential(name, port, secrets);
    headers[name] = value === mask ? await hidden() : value;
  }
  const parameters = new Map(target.split(/[?&]/).map((each) => [each.split("=")[0], each]));
  const path = head.target.replaceAll(hiddenParameter, (all, name) => parameters.get(name) ?? all);
  const isUnchanged = original !== undefined && edited.body === shownBody(requestBody);
  if ([path, ...Object.values(headers), isUnchanged ? "" : edited.body].join().includes(mask))
    throw new CommandError(
      `Replace each ${mask}: an edited body is sent as it is, and old requests are forgotten.`,
    );
  if (!isUnchanged && /\n… of \d+ characters$/.test(edited.body))
    throw new CommandError("Only a part of the body is shown: it can be sent again, but not edited.");
  const body = isUnchanged ? requestBody : Buffer.from(edited.body);
  const [status, response] = await send(port, head.method, path, headers, body);
  return `${status}\n${shownBody(response)}`;
}

async function send(port: number, method: string, path: string, given: object, body: string | Buffer) {
  const headers = { ...given, "content-length": Buffer.byteLength(body) };
  const sent = request({ host: "localhost", port, method, path, headers }).end(body);
  const [response] = await once(sent, "response");
  return [response.statusCode, await buffer(response)] as const;
}

async function ownCredential(name: string, port: number, secrets: SecretValues): Promise<string> {
  const { apiKey, bearer } = credentialHeaders;
  if (name === apiKey.name) return apiKeyOf(secrets.ApiKeys?.split(",")[0] ?? mask);
  if (name !== bearer.name) return mask;
  const account = JSON.stringify({ username: "admin", password: secrets.AdminPassword });
  const type = { "content-type": "application/json" };
  const [, login] = await send(port, "POST", "/auth/login", type, account);
  return `${bearer.prefix}${Object(parseJson(login.toString())).access_token ?? mask}`;
}
