import { Logger } from "@aws-lambda-powertools/logger";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Context } from "aws-lambda";

/** What is known of a request when it has been answered. Never a body, query string, key or token. */
export interface RequestSummary {
  readonly requestId: string;
  /** The route's key with its placeholders (`GET /todos/{id}`), or `unmatched`: never a path as sent. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

const logger = new Logger();
const metrics = new Metrics();

/**
 * Writes one JSON log line and the metrics of an answered request. The metrics are CloudWatch's embedded
 * format, by route template, so that their number does not grow with the ids that clients ask for.
 *
 * @param context Lambda's context: function, memory and cold start go into the log line
 * @param request what was answered
 * @param error the cause, when the answer was a 5xx
 */
export function logRequest(context: Context, request: RequestSummary, error?: unknown): void {
  const { requestId, route, status } = request;
  const duration = Math.round(request.milliseconds * 100) / 100;
  logger.addContext(context);
  const line = { requestId, route, status, duration };
  if (status >= 500) logger.error("request failed", { ...line, error: asError(error) });
  else logger.info("request", line);

  // Only the first request of an environment counts as its cold start.
  metrics.captureColdStartMetric(context.functionName);
  metrics.addDimension("route", route);
  metrics.addMetric("duration", MetricUnit.Milliseconds, duration);
  // A metric is paid for by the hours in which it has a value: no error is no value, and not a 0.
  if (status >= 500) metrics.addMetric("serverErrors", MetricUnit.Count, 1);
  else if (status >= 400) metrics.addMetric("clientErrors", MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error("Something that is no Error was thrown", { cause: thrown });
}
