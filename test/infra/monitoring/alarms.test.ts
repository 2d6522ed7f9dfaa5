import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { metricMath } from "../../support/metric-math.ts";
import { type Resource, resourcesOf, templateOf } from "../../support/templates.ts";

const template = templateOf({ stage: "prod", origins: "https://www.example.com" });

function all(type: string): Resource[] {
  return resourcesOf(template, type).map(([, resource]) => resource);
}

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: {
      readonly Namespace: string;
      readonly MetricName: string;
      readonly Dimensions?: readonly { readonly Name: string; readonly Value: string | { Ref: string } }[];
    };
    readonly Period: number;
    readonly Stat: string;
  };
}

/** An alarm's properties. */
interface Alarm {
  readonly Metrics: readonly Query[];
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly DatapointsToAlarm: number;
  readonly EvaluationPeriods: number;
  readonly TreatMissingData: string;
  readonly AlarmActions: readonly unknown[];
}

const alarms = new Map(
  resourcesOf(template, "AWS::CloudWatch::Alarm").map(([id, { Properties }]) => [
    id.slice(0, -8),
    Properties as Alarm,
  ]),
);

function alarm(name: string): Alarm {
  const found = alarms.get(name);
  if (!found) throw new Error(`There is no alarm ${name}`);
  return found;
}

function statistics({ Metrics }: Alarm) {
  return Metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [{ Id, ...MetricStat }] : []));
}

/** Whether a period with these values counts towards the alarm. */
function isBreaching(
  { Metrics, Threshold }: Alarm,
  values: Readonly<Record<string, number | undefined>>,
): boolean {
  const expression = Metrics.find(({ Expression }) => Expression)?.Expression ?? "";
  const ids = Metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [[Id, undefined]] : []));
  return metricMath(expression, { ...Object.fromEntries(ids), ...values }) >= Threshold;
}

describe("the alarms", () => {
  it("are told to a topic that CloudWatch may publish to, for this account alone", () => {
    const allowed = all("AWS::SNS::TopicPolicy").flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === "Allow"),
    );

    expect(allowed).toMatchObject([
      {
        Action: "sns:Publish",
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
      },
    ]);
    for (const { AlarmActions } of alarms.values())
      expect(AlarmActions).toEqual([{ Ref: expect.stringMatching(/^Alarms/) }]);
  });

  it("watch errors, time and each table", () => {
    expect([...alarms.keys()].sort()).toEqual([
      "ServerErrors",
      "ServerErrorsInAnHour",
      "SlowAnswers",
      "SlowAnswersInAnHour",
      ...["Accounts", "Items", "Orders", "Posts", "Products", "Todos", "Users"].map(
        (name) => `Throttled${name}Table`,
      ),
    ]);
  });

  it("stand in docs/deployment.md", () => {
    const page = readFileSync(new URL("../../../docs/deployment.md", import.meta.url), "utf8");
    const told = [...page.matchAll(/^\| `(\w+…?\w*)`.* \|$/gm)].map(([, name = ""]) => name);
    const names = [...alarms.keys()].map((name) => name.replace(/^Throttled\w+Table$/, "Throttled…Table"));

    expect(new Set(told.filter((name) => /Errors|Answers|Throttled/.test(name)))).toEqual(new Set(names));
  });

  it("take silence for no alarm, and no more metrics than CloudWatch lets an expression have", () => {
    for (const each of alarms.values()) {
      expect(each.TreatMissingData).toBe("notBreaching");
      expect(each.ComparisonOperator).toBe("GreaterThanOrEqualToThreshold");
      expect(statistics(each).length).toBeLessThanOrEqual(10);
      expect(isBreaching(each, {})).toBe(false);
    }
  });
});

describe.each([
  ["ServerErrors", 300, [2, 3]],
  ["ServerErrorsInAnHour", 3_600, [1, 1]],
  ["SlowAnswers", 300, [2, 3]],
  ["SlowAnswersInAnHour", 3_600, [1, 1]],
])("the alarm %s", (name, seconds, periods) => {
  it("looks at the requests of some time", () => {
    const { DatapointsToAlarm, EvaluationPeriods, ...others } = alarm(name);
    expect([DatapointsToAlarm, EvaluationPeriods]).toEqual(periods);
    for (const { Period } of statistics(others as Alarm)) expect(Period).toBe(seconds);
  });

  it("gets its figures from the gateway and its log", () => {
    const api = (MetricName: string) => ({
      Namespace: "AWS/ApiGateway",
      MetricName,
      Dimensions: [{ Name: "ApiId", Value: { Ref: expect.stringMatching(/^Api/) } }],
    });
    expect(statistics(alarm(name)).map(({ Id, Metric, Stat }) => [Id, Metric, Stat])).toEqual(
      name.startsWith("Server")
        ? [
            ["errors", { Namespace: "resource-api/prod", MetricName: "gatewayServerErrors" }, "Sum"],
            ["requests", api("Count"), "SampleCount"],
          ]
        : [
            ["quick", api("Latency"), "PR(:3000)"],
            ["requests", api("Latency"), "SampleCount"],
          ],
    );
  });
});

describe("a share of server errors", () => {
  it.each([
    ["five of 300,000, a thousand a second", { errors: 5, requests: 300_000 }, false],
    ["a hundredth of these", { errors: 3_000, requests: 300_000 }, true],
    ["all of four", { errors: 4, requests: 4 }, false],
    ["all of five", { errors: 5, requests: 5 }, true],
    ["none of many", { errors: undefined, requests: 1_000 }, false],
  ])("of five minutes: %s", (_, values, expected) => {
    expect(isBreaching(alarm("ServerErrors"), values)).toBe(expected);
  });

  it.each([
    ["all of five", { errors: 5, requests: 5 }, true],
    ["three of six", { errors: 3, requests: 6 }, true],
    ["three of seven", { errors: 3, requests: 7 }, false],
    ["two of two", { errors: 2, requests: 2 }, false],
    ["none of five", { errors: undefined, requests: 5 }, false],
  ])("of an hour: %s", (_, values, expected) => {
    expect(isBreaching(alarm("ServerErrorsInAnHour"), values)).toBe(expected);
  });
});

describe("a share of slow answers", () => {
  const answers = (requests: number, slow: number) => ({ requests, quick: 100 - (100 * slow) / requests });

  it.each([
    ["two searches among five", answers(5, 2), false],
    ["two searches and nothing else", answers(2, 2), false],
    ["five of six hundred", answers(600, 5), false],
    ["five of four hundred", answers(400, 5), true],
    ["a hundredth of a thousand a second", answers(300_000, 3_200), true],
    ["a thousandth of these", answers(300_000, 300), false],
  ])("of five minutes: %s", (_, values, expected) => {
    expect(isBreaching(alarm("SlowAnswers"), values)).toBe(expected);
  });

  it.each([
    ["two searches among five", answers(5, 2), false],
    ["six of eight", answers(8, 6), true],
    ["six of thirteen", answers(13, 6), false],
  ])("of an hour: %s", (_, values, expected) => {
    expect(isBreaching(alarm("SlowAnswersInAnHour"), values)).toBe(expected);
  });
});

describe("what is throttled", () => {
  it("is reads and writes of each table and each of its global indexes, together", () => {
    for (const [id, { Properties }] of resourcesOf(template, "AWS::DynamoDB::Table")) {
      const indexes = (Properties.GlobalSecondaryIndexes ?? []).map(
        (index: { IndexName: string }) => index.IndexName,
      );
      const watched = statistics(alarm(`Throttled${id.slice(0, -8)}`)).map(({ Metric }) => {
        const { TableName, GlobalSecondaryIndexName } = Object.fromEntries(
          Metric.Dimensions?.map(({ Name, Value }) => [Name, Value]) ?? [],
        );
        expect(TableName).toEqual({ Ref: id });
        return `${Metric.MetricName} ${GlobalSecondaryIndexName ?? "table"}`;
      });

      expect(watched.sort()).toEqual(
        ["ReadThrottleEvents", "WriteThrottleEvents"]
          .flatMap((metric) => ["table", ...indexes].map((where) => `${metric} ${where}`))
          .sort(),
      );
    }
  });

  it.each([
    [{ m5: 20 }, true],
    [{ m0: 10, m4: 10 }, true],
    [{ m0: 10, m4: 9 }, false],
  ])("counts in all, and a metric without a value as nothing: %j", (values, expected) => {
    expect(isBreaching(alarm("ThrottledOrdersTable"), values)).toBe(expected);
  });
});
