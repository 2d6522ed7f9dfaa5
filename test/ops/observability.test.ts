import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { HttpClient } from "../../ops/http-client.ts";
import { testObservability } from "../../ops/smoke/observability.ts";

// What AWS sends, as its API references of CloudWatch Logs and CloudWatch show it.

const line = {
  requestId: "JKJaXmPLvHcESHA=",
  route: "GET /errors/{status}",
  service: "system",
  serverErrors: 1,
  duration: 2.5,
  _aws: {
    Timestamp: 1_763_892_000_000,
    CloudWatchMetrics: [
      {
        Namespace: "resource-api/prod",
        Dimensions: [["service", "route"]],
        Metrics: [{ Name: "duration", Unit: "Milliseconds" }, { Name: "serverErrors" }],
      },
    ],
  },
};

const requests = {
  Id: "requests",
  ReturnData: false,
  MetricStat: {
    Metric: {
      Namespace: "AWS/ApiGateway",
      MetricName: "Count",
      Dimensions: [{ Name: "ApiId", Value: "a1b2c3d4e5" }],
    },
    Period: 300,
    Stat: "SampleCount",
  },
};
const throttled = {
  Id: "m0",
  ReturnData: false,
  MetricStat: {
    Metric: { Namespace: "AWS/DynamoDB", MetricName: "ReadThrottleEvents", Dimensions: [] },
    Period: 300,
    Stat: "Sum",
  },
};

const MetricAlarms = [
  {
    AlarmName: "ServerErrors",
    Metrics: [{ Id: "share", Expression: "IF(requests > 5, 1, 0)", ReturnData: true }, requests],
  },
  {
    AlarmName: "Throttled",
    Metrics: [{ Id: "sum", Expression: "SUM([FILL(m0, 0)])", ReturnData: true }, throttled],
  },
  {
    AlarmName: "RepairFailed",
    Namespace: "AWS/Lambda",
    MetricName: "Errors",
    Dimensions: [{ Name: "FunctionName", Value: "repair" }],
    Statistic: "Sum",
    Period: 3600,
  },
];

const search = (metric: string) =>
  `SEARCH('{"resource-api/prod","route"} MetricName="${metric}"', 'Sum', 300)`;
const graph = (title: string, ...metrics: unknown[]) => ({ type: "metric", properties: { title, metrics } });
const DashboardBody = JSON.stringify({
  widgets: [
    graph("Requests", ["AWS/ApiGateway", "Count", "ApiId", "a1b2c3d4e5", { stat: "SampleCount" }]),
    graph("Server errors", [{ expression: `FILL(${search("serverErrors")}, 0)` }]),
    graph("Cold starts", [{ expression: search("ColdStart") }]),
  ],
});

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: { readonly MetricName: string } };
}

/** What has data in CloudWatch: metrics by their names, expressions by their ids. */
let stored: Set<string>;
/** How often an empty page is sent before a log line. */
let emptyPages: number;
let refused: string | undefined;

type Call = {
  filterPattern?: string;
  logGroupName?: string;
  nextToken?: string;
  MetricDataQueries?: Query[];
};

function answer(operation: string, call: Call): object {
  if (operation === "DescribeAlarms") return { CompositeAlarms: [], MetricAlarms };
  if (operation === "GetDashboard") return { DashboardArn: "arn", DashboardBody, DashboardName: "prod" };
  if (operation === "FilterLogEvents") {
    expect(call.filterPattern).toBe(`{ $.requestId = "${line.requestId}" }`);
    emptyPages -= 1;
    if (emptyPages >= 0)
      return { events: [], searchedLogStreams: [], ...(emptyPages % 2 && { nextToken: "n" }) };
    const { _aws, ...access } = line;
    const message = JSON.stringify(call.logGroupName === "system-logs" ? line : access);
    return { events: [{ eventId: "1", ingestionTime: 1, logStreamName: "s", message, timestamp: 1 }] };
  }
  const MetricDataResults = (call.MetricDataQueries ?? []).map(({ Id, Expression = "", MetricStat }) => {
    const [, searched] = /MetricName="(\w+)"/.exec(Expression) ?? [];
    const hasData = stored.has(searched ?? MetricStat?.Metric.MetricName ?? Id);
    const data = { Timestamps: hasData ? [1_763_892_000] : [], Values: hasData ? [1] : [] };
    return { Id, Label: Id, StatusCode: "Complete", ...data };
  });
  return { Messages: [], MetricDataResults };
}

let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const call = (await json(request)) as Call;
    const [, operation = ""] = String(request.headers["x-amz-target"]).split(".");
    const isRefused = refused !== undefined && JSON.stringify(call).includes(refused);
    const body = isRefused
      ? { __type: "com.amazonaws.cloudwatch#ValidationError", message: "Error in expression 'e1'" }
      : answer(operation, call);
    response.writeHead(isRefused ? 400 : 200, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv("AWS_ENDPOINT_URL", url);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
});
afterEach(() => {
  refused = undefined;
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  server.closeAllConnections();
});

async function observe() {
  const sent: string[] = [];
  const client = {
    send: async ({ method, target }: { method: string; target: string }) => {
      sent.push(`${method} ${target}`);
      return { status: 500, headers: { "x-request-id": line.requestId }, text: "", milliseconds: 1 };
    },
  } as unknown as HttpClient;
  const resources: Record<string, Record<string, string>> = {
    "AWS::Logs::LogGroup": { SystemLogs: "system-logs", AccessLogs: "access-logs" },
    "AWS::CloudWatch::Alarm": Object.fromEntries(MetricAlarms.map(({ AlarmName }) => [AlarmName, AlarmName])),
    "AWS::CloudWatch::Dashboard": { Dashboard: "prod" },
  };
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const steps = await testObservability(client, { ofType: (type) => resources[type] ?? {} }, pause);
  expect(sent).toEqual(["GET /errors/500"]);
  const outcomes = Object.fromEntries(steps.map(({ call, outcome, reason }) => [call, reason ?? outcome]));
  return { outcomes, pauses };
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
    stored = new Set(["duration", "serverErrors", "Count", "share"]);
    emptyPages = 3;
    expect(await observe()).toEqual({ outcomes: complete, pauses: 21 });
  });

  it("shows that an expression has a value without data of its metrics", async () => {
    stored = new Set(["duration", "serverErrors", "Count", "share", "sum"]);
    emptyPages = 0;
    expect((await observe()).outcomes).toEqual({ ...complete, "alarm Throttled": "pass" });
  });

  it("fails for what does not arrive within a quarter of an hour, and for refused queries", async () => {
    stored = new Set(["duration", "Count", "ReadThrottleEvents"]);
    emptyPages = 0;
    refused = "ColdStart";
    const late = "not within 15 minutes";
    expect(await observe()).toEqual({
      outcomes: {
        ...complete,
        "metric serverErrors by service, route": late,
        "alarm ServerErrors": late,
        // Its metric has data, so that the expression must have some.
        "alarm Throttled": late,
        "graph Server errors": late,
        "graph Cold starts": "ValidationException: Error in expression 'e1'",
      },
      pauses: 60,
    });
  });
});
