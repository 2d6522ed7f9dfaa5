import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { LogSink } from "../log.ts";
import type { ApiModel } from "../stack/model.ts";
import { StartError } from "../start-error.ts";
import { isCorsHeader, responseHeaders } from "./cors.ts";
import { newRequestId } from "./event.ts";
import { handleRequest, type Invoke, type Serving } from "./integration.ts";
import { headLimitBytes } from "./request.ts";
import { type GatewayResponse, gatewayResponse } from "./response.ts";
import { createRouter, type SlashMode } from "./router.ts";

export interface GatewayOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly slashes: SlashMode;
  readonly integrationLimitMs?: number;
  readonly log: LogSink;
  /** Called after each answer. */
  readonly onAnswer?: (served: ServedRequest) => void;
}

/** An answered request, for the access log. */
export interface ServedRequest {
  readonly method: string;
  readonly target: string;
  readonly statusCode: number;
  readonly milliseconds: number;
  /** DynamoDB capacity units that the function consumed. */
  readonly units: number;
  /** Whether the function's environment had served before; undefined where no function has answered. */
  readonly start?: "cold" | "warm";
}

export interface Gateway {
  readonly url: string;
  /** Serves all further requests by other routes. */
  replace(api: ApiModel): void;
  /** Stops accepting, waits for running requests up to the given time, then closes all connections. */
  close(graceMs: number): Promise<void>;
}

/**
 * Serves an HTTP API as API Gateway does, with the functions in this process behind it.
 *
 * @param api the API's routes and CORS settings
 * @param invoke runs a function
 * @returns the gateway, listening
 * @throws {StartError} if the port is taken
 */
export async function startGateway(api: ApiModel, invoke: Invoke, options: GatewayOptions): Promise<Gateway> {
  let current = { api, router: createRouter(api.routes, options.slashes) };
  let isClosing = false;
  // Above the documented limit, which is then applied to the exact size.
  const server = createServer({ maxHeaderSize: 4 * headLimitBytes }, (request, response) => {
    response.on("close", () => {
      if (isClosing) server.closeIdleConnections();
    });
    serve(request, response, current, invoke, options).catch((error: Error) => {
      // The client went away in the middle of its request: there is nobody to answer.
      if (request.destroyed && !request.complete) return;
      options.log({ source: "gateway", text: error.stack ?? error.message });
      write(response, gatewayResponse(500, "Internal Server Error"), newRequestId());
    });
  });
  server.on("clientError", refuseMalformed);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`,
    replace(next) {
      current = { api: next, router: createRouter(next.routes, options.slashes) };
    },
    async close(graceMs) {
      isClosing = true;
      const closed = once(server, "close");
      server.close();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

async function listen(
  server: ReturnType<typeof createServer>,
  { host, port }: GatewayOptions,
): Promise<void> {
  server.listen({ port, host, backlog: 4_096 });
  try {
    await once(server, "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new StartError(`Port ${port} is in use. Stop what listens there, or choose another PORT.`);
    }
    throw new StartError(`Can't listen on ${host}:${port}: ${message}`);
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  serving: Serving,
  invoke: Invoke,
  options: GatewayOptions,
): Promise<void> {
  const receivedAt = new Date();
  const started = performance.now();
  const requestId = newRequestId();
  const { answer, ...taken } = await handleRequest(
    { request, requestId, receivedAt },
    serving,
    invoke,
    options,
  );
  write(response, withCors(answer, serving.api, request), requestId);
  options.onAnswer?.({
    method: request.method ?? "",
    target: request.url ?? "",
    statusCode: answer.statusCode,
    milliseconds: performance.now() - started,
    ...taken,
  });
}

function withCors(answer: GatewayResponse, { cors }: ApiModel, request: IncomingMessage): GatewayResponse {
  if (cors === undefined || (request.method === "OPTIONS" && answer.statusCode === 204)) return answer;
  const kept = Object.entries(answer.headers).filter(([name]) => !isCorsHeader(name));
  const headers = { ...Object.fromEntries(kept), ...responseHeaders(cors, request.headers.origin) };
  return { ...answer, headers };
}

function write(response: ServerResponse, answer: GatewayResponse, requestId: string): void {
  if (response.destroyed || response.headersSent) return;
  response.statusCode = answer.statusCode;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (answer.cookies.length > 0) response.appendHeader("set-cookie", [...answer.cookies]);
  response.setHeader("apigw-requestid", requestId);
  const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304;
  if (hasBody) response.setHeader("content-length", answer.body.length);
  response.end(hasBody ? answer.body : undefined);
}

/** What is not HTTP never becomes a request: it is answered on the socket, or dropped if nobody listens. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? [431, "Request Header Fields Too Large"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "Request Timeout"]
        : [400, "Bad Request"];
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\ncontent-type: application/json\r\nconnection: close\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
}
