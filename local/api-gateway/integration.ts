import type { IncomingMessage } from "node:http";
import type { Outcome } from "../lambda/function-pool.ts";
import type { LogSink } from "../log.ts";
import type { ApiModel, RouteModel } from "../stack/model.ts";
import { localAccount } from "../stack/resource-names.ts";
import { preflightHeaders, readPreflight } from "./cors.ts";
import { buildEvent } from "./event.ts";
import { headLimitBytes, headSize, readBody, readTarget } from "./request.ts";
import { type GatewayResponse, gatewayResponse, readResponse } from "./response.ts";
import type { Router } from "./router.ts";

/** Runs a function: its logical id, and the event as JSON. */
export type Invoke = (functionId: string, payload: string) => Promise<Outcome>;

/** What the gateway serves at the moment. */
export interface Serving {
  readonly api: ApiModel;
  readonly router: Router<RouteModel>;
}

export interface Received {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly receivedAt: Date;
}

/** The most that Lambda takes as an event and gives as an answer, in bytes. */
const lambdaPayloadLimit = 6_291_556;

/** The most time that an HTTP API gives an integration. */
const defaultIntegrationLimitMs = 30_000;

/** An answer, and what it took. */
export interface Answered {
  readonly answer: GatewayResponse;
  /** DynamoDB capacity units that the function consumed. */
  readonly units: number;
  /** Whether the function's environment had served before; undefined where no function has answered. */
  readonly start?: "cold" | "warm";
}

/**
 * Answers a request: by the function behind the chosen route, or by the gateway itself where there is none, a
 * limit is exceeded or the function gives no proper answer.
 *
 * @param received the request, its id and the time of its arrival
 * @param serving the routes and the CORS settings
 * @param invoke runs a function
 * @param options the time that a function is given, and the log for malformed answers
 * @returns the answer, without CORS headers, and what it took
 * @throws {Error} if the client goes away before the end of its request
 */
export async function handleRequest(
  { request, requestId, receivedAt }: Received,
  { api, router }: Serving,
  invoke: Invoke,
  options: { readonly integrationLimitMs?: number; readonly log: LogSink },
): Promise<Answered> {
  const method = request.method ?? "";
  const body = await readBody(request);
  const own = (status: number, message: string) => ({ answer: gatewayResponse(status, message), units: 0 });
  if (headSize(request) > headLimitBytes) return own(431, "Request Header Fields Too Large");
  if (body === "too-large") return own(413, "Request Entity Too Large");
  const target = readTarget(request.url ?? "");
  if (target === undefined) return own(400, "Bad Request");
  const match = router(method, target.path);
  const preflight = readPreflight(method, request.headers as Record<string, string | undefined>);
  if (match === undefined && preflight !== undefined && api.cors !== undefined) {
    const headers = preflightHeaders(api.cors, preflight);
    return { answer: { statusCode: 204, headers, cookies: [], body: Buffer.alloc(0) }, units: 0 };
  }
  if (match === undefined) return own(404, "Not Found");

  const payload = JSON.stringify(
    buildEvent(
      {
        ...target,
        method,
        rawHeaders: request.rawHeaders,
        body,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: (request.socket.remoteAddress ?? "").replace(/^::ffff:/, ""),
        port: request.socket.localPort ?? 0,
        receivedAt,
        requestId,
      },
      {
        accountId: localAccount,
        apiId: api.apiId,
        stage: api.stage,
        routeKey: match.route.routeKey,
        ...(match.pathParameters === undefined ? {} : { pathParameters: match.pathParameters }),
      },
    ),
  );
  if (Buffer.byteLength(payload) > lambdaPayloadLimit) return own(413, "Request Entity Too Large");
  const limitMs = options.integrationLimitMs ?? defaultIntegrationLimitMs;
  const outcome = await within(limitMs, invoke(match.route.functionId, payload));
  if (outcome === undefined || outcome.kind === "throttled") return own(503, "Service Unavailable");
  if (outcome.kind === "failure") return own(500, "Internal Server Error");
  return {
    answer: interpret(outcome.payload, match.route, options.log),
    units: outcome.units,
    start: outcome.isCold ? "cold" : "warm",
  };
}

function interpret(payload: string, route: RouteModel, log: LogSink): GatewayResponse {
  const size = Buffer.byteLength(payload);
  const read =
    size > lambdaPayloadLimit
      ? `${size} bytes are more than Lambda's limit of ${lambdaPayloadLimit}`
      : readResponse(JSON.parse(payload));
  if (typeof read !== "string") return read;
  log({ source: "gateway", text: `${route.routeKey}: the function's answer is malformed: ${read}` });
  return gatewayResponse(500, "Internal Server Error");
}

async function within<T>(limitMs: number, result: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  const first = await Promise.race([result, late]);
  clearTimeout(timer);
  return first;
}
