import { once } from "node:events";
import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { text } from "node:stream/consumers";

/** A request, sent as given: only headers that HTTP or a body of JSON requires are added. */
export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes, or anything else to be sent as JSON. */
  readonly body?: unknown;
}

export type HttpClient = ReturnType<typeof createHttpClient>;

/** `fetch` would not do: it adds a content type, normalizes paths and refuses some methods and headers. */
export function createHttpClient(url: URL, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    async send({ method, target, headers = {}, body }: HttpRequest) {
      const isJson = body !== undefined && !(body instanceof Uint8Array);
      const type = isJson && { "content-type": "application/json" };
      const request = requestHttp(url, { agent, path: target, method, headers: { ...type, ...headers } });
      request.end(isJson ? JSON.stringify(body) : body);
      const [response] = (await once(request, "response")) as [IncomingMessage];
      // A server may respond and close the connection before it has read a large body.
      request.on("error", () => undefined);
      return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
    },
    close: () => agent.destroy(),
  };
}
