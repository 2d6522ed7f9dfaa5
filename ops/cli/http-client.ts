import { once } from "node:events";
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import { text } from "node:stream/consumers";

/** A request as it is to go out: nothing of it is normalised, and no header is added but what HTTP needs. */
export interface ClientRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface ClientResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** From sending until the last byte of the answer. */
  readonly milliseconds: number;
}

/** There was no answer. Its message is for people. */
export class NoAnswer extends Error {}

/** A client of one service, over connections that are kept. */
export interface Client {
  readonly host: string;
  /** The most that are open at once. */
  readonly connections: number;
  /**
   * @param limitMs how long the answer may take
   * @throws {NoAnswer}
   */
  send(request: ClientRequest, limitMs: number): Promise<ClientResponse>;
  /** Ends all connections; what still runs fails. */
  close(): void;
}

/**
 * Makes a client. It is Node's own `http`, since `fetch` adds a content type, tidies paths up and cannot send
 * some requests at all.
 *
 * @param url the service's URL; a path in it stands before every target
 * @param connections the most that are open at once
 */
export function createClient(url: URL, connections: number): Client {
  const isSecure = url.protocol === "https:";
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: connections });
  const prefix = url.pathname.replace(/\/$/, "");

  return {
    host: url.host,
    connections,
    async send({ method, target, headers = {}, body }, limitMs) {
      const started = performance.now();
      const request = (isSecure ? requestHttps : requestHttp)({
        agent,
        host: url.hostname.replace(/^\[|\]$/g, ""),
        ...(url.port !== "" && { port: url.port }),
        path: prefix + target,
        method,
        headers: { host: url.host, ...headers },
      });
      const timer = setTimeout(
        () => request.destroy(new Error(`No answer within ${(limitMs / 1000).toFixed(0)} s`)),
        limitMs,
      );
      try {
        request.end(body);
        const [response] = (await once(request, "response")) as [IncomingMessage];
        // A server may answer and close before it has read all of a large body.
        request.on("error", () => undefined);
        const content = await text(response);
        return {
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: content,
          milliseconds: performance.now() - started,
        };
      } catch (error) {
        throw new NoAnswer(`${url.host}: ${messageOf(error)}`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Where a name has several addresses, the failure has no message but those of each address. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
