import type { IncomingMessage } from "node:http";
import type { AwsCall } from "../aws/credentials.ts";
import type { FunctionRegistry } from "../lambda/function-registry.ts";
import type { LogSink } from "../log.ts";
import type { ApiModel, RouteModel } from "../stack/model.ts";
import { preflightHeaders } from "./cors.ts";
import { buildEvent, type GatewayRequest } from "./event.ts";
import { errorResponse, type GatewayResponse, readResponse } from "./response.ts";
import type { Router } from "./router.ts";

const lambdaPayloadLimit = 6_291_556;

const defaultIntegrationTimeoutMs = 30_000;

/** When a client may try again if no execution environment was free. */
const retryAfterSeconds = "1";

export interface IntegrationOptions {
  readonly integrationTimeoutMs?: number;
  readonly log: LogSink;
}

export interface GatewayResult {
  readonly response: GatewayResponse;
  readonly capacityUnits: number;
  readonly calls: readonly AwsCall[];
  /** The matching route, such as `GET /todos/{id}`; undefined if no function responded. */
  readonly routeKey?: string;
  /** Whether the function's environment was new; undefined if no function responded. */
  readonly start?: "cold" | "warm";
}

/**
 * The function of the matching route responds, or the gateway, if a limit is exceeded or the function fails.
 * @returns the response without CORS headers
 */
export async function handleRequest(
  request: GatewayRequest | GatewayResponse,
  incoming: IncomingMessage,
  { api, router }: { readonly api: ApiModel; readonly router: Router<RouteModel> },
  functions: FunctionRegistry,
  options: IntegrationOptions,
): Promise<GatewayResult> {
  if ("statusCode" in request) return withoutFunction(request);
  const preflight = preflightResponse(incoming, api);
  if (preflight) return withoutFunction(preflight);
  const match = router(request.method, request.path);
  if (match === undefined) return withoutFunction(errorResponse(404, "Not Found"));
  const { route, pathParameters } = match;
  const { routeKey } = route;
  const payload = JSON.stringify(buildEvent(request, { apiId: api.apiId, routeKey, pathParameters }));
  if (Buffer.byteLength(payload) > lambdaPayloadLimit)
    return withoutFunction(errorResponse(413, "Request Entity Too Large"));
  const timeoutMs = options.integrationTimeoutMs ?? defaultIntegrationTimeoutMs;
  const result = await within(timeoutMs, functions.invoke(route.functionId, payload));
  if (result?.kind === "failure") return withoutFunction(errorResponse(500, "Internal Server Error"));
  if (result?.kind === "throttled")
    return withoutFunction(errorResponse(503, "Service Unavailable", { "retry-after": retryAfterSeconds }));
  // Without Retry-After: the function continues, so a repetition could do its work twice.
  if (result === undefined) return withoutFunction(errorResponse(503, "Service Unavailable"));
  return {
    response: functionResponse(result.payload, route, options.log),
    capacityUnits: result.calls.reduce((sum, { capacityUnits }) => sum + capacityUnits, 0),
    calls: result.calls,
    routeKey,
    start: result.isCold ? "cold" : "warm",
  };
}

function withoutFunction(response: GatewayResponse): GatewayResult {
  return { response, capacityUnits: 0, calls: [] };
}

/** The response to a preflight (Fetch standard, "CORS-preflight request"); undefined for any other request. */
function preflightResponse({ method, headers }: IncomingMessage, { cors }: ApiModel) {
  const { origin, "access-control-request-method": requested } = headers;
  if (method !== "OPTIONS" || origin === undefined || requested === undefined) return undefined;
  return { statusCode: 204, headers: preflightHeaders(cors, origin, requested), body: Buffer.alloc(0) };
}

function functionResponse(payload: string, { routeKey }: RouteModel, log: LogSink): GatewayResponse {
  const size = Buffer.byteLength(payload);
  const response = size > lambdaPayloadLimit ? undefined : readResponse(payload);
  if (response) return response;
  const why = `is malformed, or its ${size} bytes exceed Lambda's limit of ${lambdaPayloadLimit}`;
  log({ source: "gateway", text: `${routeKey}: the function's response ${why}` });
  return errorResponse(500, "Internal Server Error");
}

async function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  const first = await Promise.race([promise, timeout]);
  clearTimeout(timer);
  return first;
}
