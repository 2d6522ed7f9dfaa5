/** Lambda's names for levels of application logs that the functions use. */
type LogLevel = "INFO" | "WARN" | "ERROR";

/** Which fields of a log line are metrics, and which are their dimensions. */
interface MetricSet {
  readonly dimensions: readonly string[];
  /** Name → unit. */
  readonly metrics: Readonly<Record<string, "Count" | "Milliseconds">>;
}

/** Lambda's log levels in ascending order ("Log-level filtering" in the Lambda developer guide). */
const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"];

// Read once: each access to process.env takes as long as a whole log line.
const { AWS_LAMBDA_LOG_LEVEL = "INFO", METRICS_NAMESPACE, SERVICE_NAME: service } = process.env;
const minimum = levels.indexOf(AWS_LAMBDA_LOG_LEVEL);

/**
 * Describes the metrics of a log line in CloudWatch's embedded metric format
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html).
 *
 * @returns JSON for `log`, made once for all lines with the same metrics
 */
export function embeddedMetrics(...sets: readonly MetricSet[]): string {
  const directives = sets.map(({ dimensions, metrics }) => ({
    Namespace: METRICS_NAMESPACE,
    Dimensions: [dimensions],
    Metrics: Object.entries(metrics).map(([Name, Unit]) => ({ Name, Unit })),
  }));
  return JSON.stringify(directives);
}

/**
 * Writes one JSON line, which is log and metrics at once. Lines below the function's log level are left out with their
 * metrics, as Lambda does.
 *
 * `level` and `timestamp` are the fields that Lambda reads; the others have the names of Powertools for AWS Lambda, so
 * that queries and filters for those match.
 *
 * @param fields JSON values, among them those of metrics and dimensions
 * @param metrics of `embeddedMetrics`
 */
export function log(
  level: LogLevel,
  message: string,
  fields: Readonly<Record<string, unknown>>,
  metrics: string,
): void {
  if (levels.indexOf(level) < minimum) return;
  const now = new Date();
  const line = JSON.stringify({ level, message, timestamp: now.toISOString(), service, ...fields });
  const described =
    METRICS_NAMESPACE === undefined
      ? ""
      : `,"_aws":{"Timestamp":${now.getTime()},"CloudWatchMetrics":${metrics}}`;
  process.stdout.write(`${line.slice(0, -1)}${described}}\n`);
}
