import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetDashboardCommand,
  GetMetricDataCommand,
  type MetricDataQuery,
} from "@aws-sdk/client-cloudwatch";
import { CloudWatchLogsClient, paginateFilterLogEvents } from "@aws-sdk/client-cloudwatch-logs";
import { CommandError } from "../../cli/errors.ts";
import { routesByArea } from "../../functions/definitions.ts";
import { operatorClientConfig } from "../../lib/aws.ts";
import { pascalCase } from "../../lib/construct-ids.ts";
import { statusByCode } from "../../lib/http/errors.ts";
import type { HttpClient } from "../http-client.ts";
import type { describeStack } from "../stage.ts";
import type { Step } from "./smoke-test.ts";

const POLL_MS = 15_000;
/** AWS says that searches find a new metric by then. */
const LATE_AFTER_MS = 15 * 60_000;
/** What has no data by then was not used. */
const UNUSED_AFTER_MS = 5 * 60_000;

interface Definition {
  readonly name: string;
  readonly queries: readonly MetricDataQuery[];
}

/** A log line in the embedded metric format, as `lib/log/log.ts` writes it. */
interface LogLine extends Readonly<Record<string, unknown>> {
  readonly _aws?: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
}

/** Undefined as long as nothing has arrived. */
type Result = Pick<Step, "outcome" | "reason"> | undefined;

/**
 * Causes one server error and waits until it has arrived in CloudWatch: the log lines of the function and the
 * gateway, the metrics that the function's line declares, and data for the deployed alarms and dashboard.
 *
 * @returns a step for each, with the time until it arrived
 * @throws {CommandError} if no route demonstrates a server error
 */
export async function testObservability(
  client: HttpClient,
  { ofType }: Pick<Awaited<ReturnType<typeof describeStack>>, "ofType">,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<Step[]> {
  const logs = new CloudWatchLogsClient(operatorClientConfig);
  const cloudWatch = new CloudWatchClient(operatorClientConfig);
  const { area, ...request } = demonstration();
  const sentAt = Date.now();
  const { headers } = await client.send(request);
  let line: LogLine = {};

  const waitFor = async (call: string, check: () => Promise<Result>): Promise<Step> => {
    for (;;) {
      // CloudWatch refuses an invalid query, and whoever may not ask.
      const result = await check().catch(
        ({ name, message }: Error): Result => ({ outcome: "fail", reason: `${name}: ${message}` }),
      );
      const milliseconds = Date.now() - sentAt;
      if (result) return { area: "cloudwatch", call, milliseconds, ...result };
      const reason = `not within ${LATE_AFTER_MS / 60_000} minutes`;
      if (milliseconds >= LATE_AFTER_MS) return { area: "cloudwatch", call, outcome: "fail", reason };
      await pause(POLL_MS);
    }
  };

  const findLine = async (label: string): Promise<Result> => {
    const input = {
      logGroupName: ofType("AWS::Logs::LogGroup")[label],
      startTime: sentAt - 60_000,
      filterPattern: `{ $.requestId = "${headers["x-request-id"]}" }`,
    };
    for await (const { events: [event] = [] } of paginateFilterLogEvents({ client: logs }, input)) {
      if (event?.message === undefined) continue;
      const found: LogLine = JSON.parse(event.message);
      if (found._aws) line = found;
      return { outcome: "pass" };
    }
    return undefined;
  };

  const groups = [`${pascalCase(area)}Logs`, "AccessLogs"];
  const lines = await Promise.all(
    groups.map((label) => waitFor(`log line in ${label}`, () => findLine(label))),
  );
  const metrics = metricsOf(line);
  const names = new Set(metrics.map(({ queries: [query] }) => query?.MetricStat?.Metric?.MetricName ?? ""));
  const definitions = [
    ...metrics,
    ...(await alarms(cloudWatch, Object.values(ofType("AWS::CloudWatch::Alarm")))),
    ...(await graphs(cloudWatch, Object.values(ofType("AWS::CloudWatch::Dashboard")))),
  ];
  const data = await Promise.all(
    definitions.map((each) => {
      const isExpected = metrics.includes(each) || isCaused(each, names);
      return waitFor(each.name, () => findData(cloudWatch, each, sentAt, isExpected));
    }),
  );
  return [...lines, ...data];
}

function demonstration() {
  const status = statusByCode.InternalServerError;
  for (const [area, routes] of Object.entries(routesByArea))
    for (const { method, pattern, errors } of routes)
      if (errors?.[status]) return { area, method, target: pattern.replace(/\{\w+\}/, String(status)) };
  throw new CommandError("No route demonstrates a server error, as GET /errors/500 does.");
}

/** Whether the request gives an alarm or a graph data. */
function isCaused({ queries }: Definition, metrics: ReadonlySet<string>): boolean {
  return queries.some(
    ({ MetricStat, Expression = "" }) =>
      MetricStat?.Metric?.Namespace === "AWS/ApiGateway" ||
      metrics.has(/SEARCH.* MetricName="(\w+)"/.exec(Expression)?.[1] ?? ""),
  );
}

/** Looks for data of the period of the request and the one after it. */
async function findData(
  client: CloudWatchClient,
  { queries }: Definition,
  sentAt: number,
  isExpected: boolean,
): Promise<Result> {
  const periods = queries.map(({ MetricStat, Period = 0 }) => MetricStat?.Period ?? Period);
  const length = 1_000 * Math.max(...periods);
  const start = Math.floor(sentAt / length) * length;
  const { MetricDataResults: results = [] } = await client.send(
    new GetMetricDataCommand({
      MetricDataQueries: queries.map((query) => ({ ...query, ReturnData: true })),
      StartTime: new Date(start),
      EndTime: new Date(start + 2 * length),
    }),
  );
  const [problem] = results.flatMap(({ Messages = [] }) => Messages);
  if (problem) return { outcome: "fail", reason: problem.Value };
  const found = new Set(results.filter(({ Values = [] }) => Values.length > 0).map(({ Id }) => Id));
  if (queries.some(({ Id, ReturnData }) => ReturnData !== false && found.has(Id))) return { outcome: "pass" };
  // An expression without data although a metric of it has some is wrong.
  if (isExpected || found.size > 0 || Date.now() - sentAt < UNUSED_AFTER_MS) return undefined;
  return { outcome: "not tested", reason: "its metrics have no data" };
}

function metricsOf(line: LogLine): Definition[] {
  return (line._aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Dimensions: [names = []], Metrics }) =>
    Metrics.map(({ Name: MetricName }) => {
      const Dimensions = names.map((Name) => ({ Name, Value: String(line[Name]) }));
      const Metric = { Namespace, MetricName, Dimensions };
      const queries = [{ Id: "metric", MetricStat: { Metric, Period: 60, Stat: "SampleCount" } }];
      return { name: `metric ${MetricName} by ${names.join(", ")}`, queries };
    }),
  );
}

async function alarms(client: CloudWatchClient, AlarmNames: string[]): Promise<Definition[]> {
  if (AlarmNames.length === 0) return [];
  const { MetricAlarms = [] } = await client.send(new DescribeAlarmsCommand({ AlarmNames, MaxRecords: 100 }));
  return MetricAlarms.map(({ AlarmName, Metrics, Period, Statistic: Stat, ...Metric }) => {
    const { Namespace, MetricName, Dimensions } = Metric;
    const single = { Metric: { Namespace, MetricName, Dimensions }, Period, Stat };
    const queries = Metrics?.length ? Metrics : [{ Id: "metric", MetricStat: single }];
    return { name: `alarm ${AlarmName}`, queries };
  });
}

/** An expression, or namespace, name, and names and values of dimensions in turn; with options. */
type GraphLine = (string | { expression?: string; id?: string; stat?: string; period?: number })[];

/** The graphs of dashboards (CloudWatch API Reference, "Dashboard Body Structure and Syntax"). */
async function graphs(client: CloudWatchClient, dashboards: readonly string[]): Promise<Definition[]> {
  const definitions: Definition[] = [];
  for (const DashboardName of dashboards) {
    const { DashboardBody = "{}" } = await client.send(new GetDashboardCommand({ DashboardName }));
    for (const { properties } of JSON.parse(DashboardBody).widgets)
      definitions.push({ name: `graph ${properties.title}`, queries: properties.metrics.map(toQuery) });
  }
  return definitions;
}

function toQuery(line: GraphLine, at: number): MetricDataQuery {
  const options = line.find((part) => typeof part === "object") ?? {};
  const { expression, id: Id = `line${at}`, stat: Stat = "Average", period: Period = 300 } = options;
  if (expression !== undefined) return { Id, Expression: expression, Period };
  const [Namespace, MetricName, ...rest] = line.filter((part) => typeof part === "string");
  const Dimensions = rest.flatMap((Name, i) => (i % 2 === 0 ? [{ Name, Value: rest[i + 1] }] : []));
  return { Id, MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period, Stat } };
}
