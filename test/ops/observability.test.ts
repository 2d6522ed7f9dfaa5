import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import type { HttpClient } from "../../ops/http-client.ts";
import { testObservability } from "../../ops/smoke/observability.ts";
import { describeStack } from "../../ops/stage.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";

// What AWS sends, as its API references of CloudWatch Logs and CloudWatch show it.

const requestId = "JKJaXmPLvHcESHA=";
const access = { requestId, route: "GET /errors/{status}", status: "500" };
const line = {
  ...access,
  service: "system",
  _aws: {
    Timestamp: 1_763_892_000_000,
    CloudWatchMetrics: [
      {
        Namespace: `${SERVICE_NAME}/prod`,
        Dimensions: [["service", "route"]],
        Metrics: [{ Name: "duration", Unit: "Milliseconds" }, { Name: "serverErrors" }],
      },
    ],
  },
};

const metric = (Namespace: string, MetricName: string) => ({
  Id: MetricName.toLowerCase(),
  ReturnData: false,
  MetricStat: { Metric: { Namespace, MetricName, Dimensions: [] }, Period: 300, Stat: "Sum" },
});
const errors = { Id: "share", Expression: "IF(count > 5, 1, 0)", ReturnData: true };
const throttled = { Id: "sum", Expression: "SUM([FILL(readthrottleevents, 0)])", ReturnData: true };
const MetricAlarms = [
  { AlarmName: "ServerErrors", Metrics: [errors, metric("AWS/ApiGateway", "Count")] },
  { AlarmName: "Throttled", Metrics: [throttled, metric("AWS/DynamoDB", "ReadThrottleEvents")] },
  {
    AlarmName: "RepairFailed",
    ...{ Namespace: "AWS/Lambda", MetricName: "Errors", Statistic: "Sum", Period: 3600 },
    Dimensions: [{ Name: "FunctionName", Value: "repair" }],
  },
];

const search = (name: string) =>
  `SEARCH('{"${SERVICE_NAME}/prod","route"} MetricName="${name}"', 'Sum', 300)`;
const graph = (title: string, ...metrics: unknown[]) => ({ type: "metric", properties: { title, metrics } });
const DashboardBody = JSON.stringify({
  widgets: [
    graph("Requests", ["AWS/ApiGateway", "Count", "ApiId", "a1b2c3d4e5", { stat: "SampleCount" }]),
    graph("Server errors", [{ expression: `FILL(${search("serverErrors")}, 0)` }]),
    graph("Cold starts", [{ expression: search("ColdStart") }]),
  ],
});

interface Call {
  readonly filterPattern?: string;
  readonly logGroupName?: string;
  readonly MetricDataQueries?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: { readonly MetricName: string } };
  }[];
}

/** What has data in CloudWatch: metrics by their names, expressions by their ids. */
let stored: Set<string>;
/** How many empty pages are sent before a log line. Each other one has a next page. */
let emptyPages = 0;
let refused = "";

function answer(operation: string, call: Call): object {
  if (refused !== "" && JSON.stringify(call).includes(refused)) throw new Error("in expression 'e1'");
  if (operation === "DescribeAlarms") return { CompositeAlarms: [], MetricAlarms };
  if (operation === "GetDashboard") return { DashboardArn: "arn", DashboardBody, DashboardName: "prod" };
  if (operation === "FilterLogEvents") {
    expect(call.filterPattern).toBe(`{ $.requestId = "${requestId}" }`);
    emptyPages -= 1;
    if (emptyPages >= 0) return { events: [], ...(emptyPages % 2 === 1 && { nextToken: "n" }) };
    const message = JSON.stringify(call.logGroupName === "system-logs" ? line : access);
    return { events: [{ eventId: "1", ingestionTime: 1, logStreamName: "s", message, timestamp: 1 }] };
  }
  const MetricDataResults = call.MetricDataQueries?.map(({ Id, Expression = "", MetricStat }) => {
    const [, searched] = /MetricName="(\w+)"/.exec(Expression) ?? [];
    const hasData = stored.has(searched ?? MetricStat?.Metric.MetricName ?? Id);
    const data = { Timestamps: hasData ? [1_763_892_000] : [], Values: hasData ? [1] : [] };
    return { Id, Label: Id, StatusCode: "Complete", ...data };
  });
  return { Messages: [], MetricDataResults };
}

let aws: Awaited<ReturnType<typeof startCloudFormation>>;
beforeAll(async () => {
  const resource = (type: string, label: string, physicalId = label) =>
    [`AWS::${type}`, `${label}0A1B2C3D`, physicalId] as const;
  const resources = [
    resource("Logs::LogGroup", "SystemLogs", "system-logs"),
    resource("Logs::LogGroup", "AccessLogs", "access-logs"),
    resource("CloudWatch::Dashboard", "Dashboard", "prod"),
    ...MetricAlarms.map(({ AlarmName }) => resource("CloudWatch::Alarm", AlarmName)),
  ];
  vi.useFakeTimers({ toFake: ["Date"] });
  aws = await startCloudFormation(`${SERVICE_NAME}-prod`, [resources], {}, { answer });
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  return aws.close();
});

async function observe(...withData: string[]) {
  stored = new Set(withData);
  const send = vi.fn(async () => ({ status: 500, headers: { "x-request-id": requestId } }));
  const startedAt = Date.now();
  const pause = async (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
  const client = { send } as unknown as HttpClient;
  const steps = await testObservability(client, await describeStack("prod"), pause);
  expect(send).toHaveBeenCalledExactlyOnceWith({ method: "GET", target: "/errors/500" });
  const outcomes = Object.fromEntries(steps.map(({ call, outcome, reason }) => [call, reason ?? outcome]));
  return { outcomes, minutes: Math.floor((Date.now() - startedAt) / 60_000) };
}

describe("the smoke test of logs, metrics, alarms and dashboard", () => {
  const unused = "its metrics have no data";
  const complete = {
    "log line in SystemLogs": "pass",
    "log line in AccessLogs": "pass",
    "metric duration by service, route": "pass",
    "metric serverErrors by service, route": "pass",
    "alarm ServerErrors": "pass",
    "alarm Throttled": unused,
    "alarm RepairFailed": unused,
    "graph Requests": "pass",
    "graph Server errors": "pass",
    "graph Cold starts": unused,
  };

  it("waits for lines on later pages, and five minutes for what may have no data", async () => {
    emptyPages = 3;
    const outcomes = await observe("duration", "serverErrors", "Count", "share");
    expect(outcomes).toEqual({ outcomes: complete, minutes: 5 });
  });

  it("shows that an expression has a value without data of its metrics", async () => {
    const { outcomes } = await observe("duration", "serverErrors", "Count", "share", "sum");
    expect(outcomes).toEqual({ ...complete, "alarm Throttled": "pass" });
  });

  it("fails for what does not arrive within a quarter of an hour, and for refused queries", async () => {
    refused = "ColdStart";
    const late = "not within 15 minutes";
    expect(await observe("duration", "Count", "ReadThrottleEvents")).toEqual({
      outcomes: {
        ...complete,
        "metric serverErrors by service, route": late,
        "alarm ServerErrors": late,
        // Its metric has data, so that the expression must have some.
        "alarm Throttled": late,
        "graph Server errors": late,
        "graph Cold starts": "ValidationException: Error: in expression 'e1'",
      },
      minutes: 15,
    });
  });
});
