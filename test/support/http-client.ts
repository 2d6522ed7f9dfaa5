import { once } from "node:events";
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import { text } from "node:stream/consumers";
import { urlToHttpOptions } from "node:url";
import { CommandError, messageOf } from "../../cli/errors.ts";

/** A response takes no longer: API Gateway waits for a function for 30 s. */
const RESPONSE_TIMEOUT_MS = 35_000;

/** A request, sent as given: only headers that HTTP or a body of JSON requires are added. */
export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes, or anything else to be sent as JSON. */
  readonly body?: unknown;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** From sending the request to the last byte of the response. */
  readonly milliseconds: number;
}

export type HttpClient = ReturnType<typeof createHttpClient>;

/** `fetch` would not do: it adds a content type, normalizes paths and refuses some methods and headers. */
export function createHttpClient(url: URL, connections: number) {
  const isSecure = url.protocol === "https:";
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: connections });
  const prefix = url.pathname.replace(/\/$/, "");

  return {
    /** @param timeoutMs for the whole response. @throws {CommandError} if there is no response */
    async send(
      { method, target, headers = {}, body }: HttpRequest,
      timeoutMs = RESPONSE_TIMEOUT_MS,
    ): Promise<HttpResponse> {
      const sentAt = performance.now();
      const isJson = body !== undefined && !(body instanceof Uint8Array);
      const type = isJson && { "content-type": "application/json" };
      const request = (isSecure ? requestHttps : requestHttp)({
        ...urlToHttpOptions(url),
        agent,
        path: prefix + target,
        method,
        headers: { host: url.host, ...type, ...headers },
      });
      const timeout = new Error(`No response within ${(timeoutMs / 1000).toFixed(0)} s`);
      const timer = setTimeout(() => request.destroy(timeout), timeoutMs);
      try {
        request.end(isJson ? JSON.stringify(body) : body);
        const [response] = (await once(request, "response")) as [IncomingMessage];
        // A server may respond and close the connection before it has read a large body.
        request.on("error", () => undefined);
        return {
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: await text(response),
          milliseconds: performance.now() - sentAt,
        };
      } catch (error) {
        throw new CommandError(`${url.host}: ${messageOf(error)}`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}
