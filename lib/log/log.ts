import type { Context } from "aws-lambda";
import { ApiError } from "../domain/errors.ts";
import { errorFields } from "./error-fields.ts";

interface MetricSet {
  readonly dimensions: readonly string[];
  readonly metrics: Readonly<Record<string, "Count" | "Milliseconds">>;
}

/** In ascending order ("Log-level filtering" in the Lambda developer guide). */
const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"];

// Read once: each access to process.env takes as long as a whole log line.
const { AWS_LAMBDA_LOG_LEVEL = "INFO", METRICS_NAMESPACE, SERVICE_NAME: service } = process.env;
const minimum = levels.indexOf(AWS_LAMBDA_LOG_LEVEL);

/** Writes one JSON line, which is log and metrics at once (docs/adr/0017). */
function log(
  level: "INFO" | "WARN" | "ERROR",
  message: string,
  fields: Readonly<Record<string, unknown>>,
  sets: readonly MetricSet[],
): void {
  if (levels.indexOf(level) < minimum) return;
  const now = new Date();
  const directives = sets.map(({ dimensions, metrics }) => ({
    Namespace: METRICS_NAMESPACE,
    Dimensions: [dimensions],
    Metrics: Object.entries(metrics).map(([Name, Unit]) => ({ Name, Unit })),
  }));
  const line = {
    ...{ level, message, timestamp: now.toISOString(), service, ...fields },
    ...(METRICS_NAMESPACE &&
      sets.length > 0 && { _aws: { Timestamp: now.getTime(), CloudWatchMetrics: directives } }),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

export function logDamage(message: string, count: number, fields: Readonly<Record<string, unknown>>): void {
  log("WARN", message, { ...fields, damages: count }, [{ dimensions: [], metrics: { damages: "Count" } }]);
}

interface Sender {
  readonly account: string;
  readonly sourceIp?: string;
}

const senders = new WeakMap<object, Sender>();

/** Adds who sent the request with these headers to its line (lib/log/who.ts). The first one counts. */
export function setSender(headers: object, sender: Sender): void {
  if (!senders.has(headers)) senders.set(headers, sender);
}

/** Never a body, query string, key or token. */
interface RequestSummary {
  readonly headers: object;
  readonly requestId: string;
  /** The route's key with its placeholders (`GET /todos/{id}`), or `unmatched`; never a path as sent. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Only the trace id of a valid one is logged (W3C Trace Context, 3.2). */
  readonly traceparent?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** The user agent of the visitor (infra/visitor.ts): metrics of its requests would cost more than they do. */
export const VISITOR = "resource-api-visitor";

const validTraceparent = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

// Labelled with the route's template, so that there are not as many metrics as ids.
const dimensions = ["service", "route"];
const duration = "Milliseconds";
// CloudWatch bills per metric-hour with data, so nothing is emitted instead of 0.
const coldStart: MetricSet = { dimensions: ["service", "function_name"], metrics: { ColdStart: "Count" } };
const success: MetricSet = { dimensions, metrics: { duration } };
const clientError: MetricSet = { dimensions, metrics: { duration, clientErrors: "Count" } };
const serverError: MetricSet = { dimensions, metrics: { duration, serverErrors: "Count" } };
/** What ends the rollout of a version. */
const failedVersion: MetricSet = {
  dimensions: ["service", "function_version"],
  metrics: { serverErrors: "Count" },
};
const failedArea: MetricSet = { dimensions: ["service"], metrics: { serverErrors: "Count" } };

const CAUSED_BY_LOAD = /^(?:Transaction|Throttling|ProvisionedThroughput|RequestLimit)/;

/** Provisioned environments start before they are needed. */
let isCold = process.env.AWS_LAMBDA_INITIALIZATION_TYPE !== "provisioned-concurrency";

/** Logs a request with its metrics: of a 4xx the code and the fields, of a 5xx the whole error. */
export function logRequest(context: Context, request: RequestSummary, error?: unknown): void {
  const { requestId, route, status } = request;
  const fields: Record<string, unknown> = {
    requestId,
    route,
    status,
    duration: Math.round(request.milliseconds * 100) / 100,
    trace_id: validTraceparent.exec(request.traceparent ?? "")?.[1],
    ...senders.get(request.headers),
  };
  const isFailed = status >= 500;
  const sets = isFailed || request.userAgent !== VISITOR ? [metricsOf(status)] : [];
  if (isCold) {
    isCold = false;
    Object.assign(fields, { cold_start: true, function_name: context.functionName, ColdStart: 1 });
    sets.push(coldStart);
  }
  if (isFailed) {
    const { awsRequestId, functionVersion } = context;
    Object.assign(fields, { serverErrors: 1, function_request_id: awsRequestId, error: errorFields(error) });
    if (!isCausedByClients(error)) {
      fields.function_version = functionVersion;
      sets.push(failedVersion, failedArea);
    }
  } else if (status >= 400) {
    Object.assign(fields, { clientErrors: 1, ...reasonOf(error) });
  }
  log(isFailed ? "ERROR" : "INFO", isFailed ? "request failed" : "request", fields, sets);
}

function metricsOf(status: number): MetricSet {
  if (status >= 500) return serverError;
  return status >= 400 ? clientError : success;
}

/** Whether anybody can cause an error on purpose, who must not be able to end a rollout by it. */
function isCausedByClients(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { cause } = error;
  return !(cause instanceof Error) || CAUSED_BY_LOAD.test(cause.name);
}

/** Messages are left out, since they may name values. */
function reasonOf(error: unknown) {
  if (!(error instanceof ApiError)) return {};
  const { code, field, details } = error;
  const errorFields = details.slice(0, MAX_LOGGED_FIELDS).map(({ field, type }) => ({ field, type }));
  return { errorCode: code, errorField: field, ...(details.length > 0 && { errorFields }) };
}

const MAX_LOGGED_FIELDS = 10;
