import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FunctionRegistry } from "../lambda/function-registry.ts";
import { type Address, listen, listenOnBoth } from "../listen.ts";
import type { ApiModel } from "../stack/model.ts";
import { corsResponseHeaders } from "./cors.ts";
import { newRequestId } from "./event.ts";
import { type GatewayResult, handleRequest, type IntegrationOptions } from "./integration.ts";
import { readRequest } from "./request.ts";
import { errorResponse, type GatewayResponse } from "./response.ts";
import { createRouter, type SlashMode } from "./router.ts";

export interface GatewayOptions extends IntegrationOptions, Address {
  readonly slashes: SlashMode;
  readonly onResponse?: (served: ServedRequest) => void;
  readonly intercept?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
}

export interface ServedRequest extends GatewayResult {
  /** As in the response header `x-request-id`, and in the function's log. */
  readonly requestId: string;
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  /** Undefined if the request was too large or malformed. */
  readonly requestBody: Buffer | undefined;
  readonly statusCode: number;
  readonly startedAt: number;
  readonly milliseconds: number;
}

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** Serves an HTTP API as API Gateway does. @throws {CommandError} if it can't listen on the port */
export async function startGateway(api: ApiModel, functions: FunctionRegistry, options: GatewayOptions) {
  const { host, slashes, log, onResponse } = options;
  let current = { api, router: createRouter(api.routes, slashes) };
  let isClosing = false;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const requestId = newRequestId();
    // A reload replaces the API; this request keeps the one that it began with.
    const gateway = current;
    const received = await readRequest(request, requestId);
    const handled = await handleRequest(received, request, gateway, functions, options);
    const { response: result } = handled;
    write(response, withCors(result, gateway.api, request), requestId);
    onResponse?.({
      ...handled,
      requestBody: "body" in received && "path" in received ? received.body : undefined,
      requestId,
      rawHeaders: request.rawHeaders,
      startedAt: started,
      method: request.method ?? "",
      target: request.url ?? "",
      statusCode: result.statusCode,
      milliseconds: performance.now() - started,
    });
  }

  // The HTTP API's limit is lower: `readRequest` applies it, and the client gets its response.
  const server = createServer({ maxHeaderSize: 2 ** 20, ...timeouts }, (request, response) => {
    response.on("close", () => {
      if (isClosing) server.closeIdleConnections();
    });
    if (options.intercept?.(request, response)) return;
    serve(request, response).catch((error: Error) => {
      // The client disconnected before the end of its request.
      if (request.destroyed && !request.complete) return;
      log({ source: "gateway", text: error.stack ?? error.message });
      write(response, errorResponse(500, "Internal Server Error"), newRequestId());
    });
  });
  await listen(server, options);
  const servers = [server, await listenOnBoth(server, options)].filter((each) => each !== undefined);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    replace(next: ApiModel): void {
      current = { api: next, router: createRouter(next.routes, slashes) };
    },
    /** Stops accepting requests, waits for running ones up to 5 seconds, then closes all connections. */
    async close(): Promise<void> {
      isClosing = true;
      const closed = Promise.all(servers.map((each) => once(each, "close")));
      for (const each of servers) each.close();
      const timer = setTimeout(() => server.closeAllConnections(), closeGraceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

const closeGraceMs = 5_000;

/** Then the client gets a 408. By default Node closes idle connections into which busy clients still send. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 60_000,
};

function withCors(response: GatewayResponse, { cors }: ApiModel, request: IncomingMessage): GatewayResponse {
  // The response to a preflight already has its CORS headers.
  if (request.method === "OPTIONS" && response.statusCode === 204) return response;
  // An API with CORS settings ignores the function's CORS headers.
  const others = Object.entries(response.headers).filter(([name]) => !name.startsWith("access-control-"));
  const own = corsResponseHeaders(cors, request.headers.origin);
  const vary = [response.headers.vary, own?.vary].filter((names) => names !== undefined).join(", ");
  return { ...response, headers: { ...Object.fromEntries(others), ...own, ...(vary !== "" && { vary }) } };
}

function write(output: ServerResponse, { statusCode, headers, body }: GatewayResponse, requestId: string) {
  if (output.destroyed || output.headersSent) return;
  output.statusCode = statusCode;
  for (const [name, value] of Object.entries(headers)) output.setHeader(name, value);
  output.setHeader("apigw-requestid", requestId);
  const hasBody = statusCode !== 204 && statusCode !== 304;
  const isHead = output.req.method === "HEAD" && output.hasHeader("content-length");
  if (!hasBody) output.removeHeader("content-length");
  else if (!isHead) output.setHeader("content-length", body.length);
  output.end(hasBody ? body : undefined);
}
