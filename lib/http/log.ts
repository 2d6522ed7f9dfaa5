import { Logger } from "@aws-lambda-powertools/logger";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Context } from "aws-lambda";
import { ApiError } from "../domain/errors.ts";

/** What is logged of a request: never a body, query string, key or token. */
export interface RequestSummary {
  readonly requestId: string;
  /** The route's key with its placeholders (`GET /todos/{id}`), or `unmatched`; never a path as sent. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

const logger = new Logger();
const metrics = new Metrics();

/**
 * Writes one JSON log line and the metrics of a request. The metrics are in CloudWatch's embedded format and labelled
 * with the route's template, so that their number does not grow with the ids that clients send.
 *
 * @param error what the handler has thrown; a 4xx logs its code and fields, a 5xx the whole error
 */
export function logRequest(context: Context, request: RequestSummary, error?: unknown): void {
  const { requestId, route, status } = request;
  const duration = Math.round(request.milliseconds * 100) / 100;
  logger.addContext(context);
  const line = { requestId, route, status, duration };
  if (status >= 500) logger.error("request failed", { ...line, error: asError(error) });
  else logger.info("request", { ...line, ...reasonOf(error) });

  // Only the first request of an environment counts as its cold start.
  metrics.captureColdStartMetric(context.functionName);
  metrics.addDimension("route", route);
  metrics.addMetric("duration", MetricUnit.Milliseconds, duration);
  // CloudWatch bills per metric-hour with data, so nothing is emitted instead of 0.
  if (status >= 500) metrics.addMetric("serverErrors", MetricUnit.Count, 1);
  else if (status >= 400) metrics.addMetric("clientErrors", MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

/** Why a request got a 4xx. Messages are left out, since they may name values. */
function reasonOf(error: unknown) {
  if (!(error instanceof ApiError)) return {};
  const fields = error.details.map(({ field, type }) => ({ field, type }));
  return {
    errorCode: error.code,
    ...(error.field !== undefined && { errorField: error.field }),
    ...(fields.length > 0 && { errorFields: fields.slice(0, MAX_LOGGED_FIELDS) }),
  };
}

/** A request can have a thousand invalid fields; these are enough to tell what is wrong with the client. */
const MAX_LOGGED_FIELDS = 10;

function asError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error("A value that is no Error was thrown", { cause: thrown });
}
