import { describe, expect, it } from "vitest";
import { metricMath } from "../../support/infra/metric-math.ts";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";
import { headingsOf } from "../../support/markdown.ts";

const template = stageTemplate("prod");

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
  /** Undefined for an alarm on a single metric. */
  readonly Metrics?: readonly Query[];
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
  readonly AlarmDescription: string;
}

const alarms = new Map(
  resourcesOf(template, "AWS::CloudWatch::Alarm").map(([id, { Properties }]) => [
    id.slice(0, -8),
    Properties as Alarm,
  ]),
);

const rolloutAlarms = [...alarms.keys()].filter((name) => name.endsWith("RolloutErrors"));

function alarm(name: string): Alarm {
  const found = alarms.get(name);
  if (!found) throw new Error(`There is no alarm ${name}`);
  return found;
}

function statistics({ Metrics = [] }: Partial<Alarm>) {
  return Metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [{ Id, ...MetricStat }] : []));
}

/** Whether a period with these values counts towards the alarm. */
function isBreaching(
  { Metrics = [], Threshold }: Alarm,
  values: Readonly<Record<string, number | undefined>>,
): boolean {
  const expression = Metrics.find(({ Expression }) => Expression)?.Expression ?? "";
  const ids = Metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [[Id, undefined]] : []));
  return metricMath(expression, { ...Object.fromEntries(ids), ...values }) >= Threshold;
}

// Which there are, where they are sent, their periods and their metrics are in test/infra/snapshots/prod.txt.
describe("the alarms", () => {
  it("each say what they mean, and link to their runbook", () => {
    const headings = headingsOf("docs/operations.md", 3).map((heading) => heading.toLowerCase());
    for (const { AlarmDescription: description } of alarms.values()) {
      const [, anchor] = /^[A-Z\d].+\. What to do: docs\/operations\.md#(\w+)$/.exec(description) ?? [];
      expect(headings, description).toContain(anchor);
    }
  });

  it("do not go off without data, and use at most ten metrics, which is CloudWatch's limit", () => {
    for (const each of alarms.values()) {
      expect(each.TreatMissingData).toBe("notBreaching");
      expect(each.ComparisonOperator).toBe("GreaterThanOrEqualToThreshold");
      expect(statistics(each).length).toBeLessThanOrEqual(10);
      if (each.Metrics) expect(isBreaching(each, {})).toBe(false);
    }
  });
});

describe("the share of server errors", () => {
  it.each([
    ["five of 300,000 (a thousand a second)", { errors: 5, requests: 300_000 }, false],
    ["1 % of these", { errors: 3_000, requests: 300_000 }, true],
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

describe("the alarm that ends a rollout", () => {
  /** A minute of a version that gets a tenth of a function's requests. */
  const minute = (requests: number, { crashed, failed }: { crashed?: number; failed?: number } = {}) => ({
    invoked: requests / 10,
    crashed,
    failed,
  });

  it.each([
    ["all of its ten requests get a server error", minute(100, { failed: 10 }), true],
    ["its one request gets one", minute(10, { failed: 1 }), true],
    ["it crashes on a tenth of its hundred", minute(1_000, { crashed: 10 }), true],
    ["half of a tenth crash, half get a server error", minute(1_000, { crashed: 5, failed: 5 }), true],
    ["nine of its hundred fail", minute(1_000, { failed: 9 }), false],
    ["nothing fails", minute(1_000), false],
    ["it gets no request", {}, false],
  ])("counts a minute in which %s: %#", (_, values, expected) => {
    for (const name of rolloutAlarms) expect(isBreaching(alarm(name), values)).toBe(expected);
  });
});

describe("the share of slow responses", () => {
  const responses = (requests: number, slow: number) => ({ requests, fast: 100 - (100 * slow) / requests });

  it.each([
    ["two searches among five", responses(5, 2), false],
    ["two searches and nothing else", responses(2, 2), false],
    ["five of six hundred", responses(600, 5), false],
    ["five of four hundred", responses(400, 5), true],
    ["1 % of a thousand a second", responses(300_000, 3_200), true],
    ["0.1 % of these", responses(300_000, 300), false],
  ])("of five minutes: %s", (_, values, expected) => {
    expect(isBreaching(alarm("SlowResponses"), values)).toBe(expected);
  });

  it.each([
    ["two searches among five", responses(5, 2), false],
    ["six of eight", responses(8, 6), true],
    ["six of thirteen", responses(13, 6), false],
  ])("of an hour: %s", (_, values, expected) => {
    expect(isBreaching(alarm("SlowResponsesInAnHour"), values)).toBe(expected);
  });
});

describe("throttling", () => {
  it("includes reads and writes of the table and of each of its global indexes", () => {
    for (const [id, { Properties }] of resourcesOf(template, "AWS::DynamoDB::Table")) {
      const indexes = (Properties.GlobalSecondaryIndexes ?? []).map(
        (index: { IndexName: string }) => index.IndexName,
      );
      const monitored = statistics(alarm(`Throttled${id.slice(0, -8)}`)).map(({ Metric }) => {
        const { TableName, GlobalSecondaryIndexName } = Object.fromEntries(
          Metric.Dimensions?.map(({ Name, Value }) => [Name, Value]) ?? [],
        );
        expect(TableName).toEqual({ Ref: id });
        return `${Metric.MetricName} ${GlobalSecondaryIndexName ?? "table"}`;
      });

      expect(monitored.sort()).toEqual(
        ["ReadThrottleEvents", "WriteThrottleEvents"]
          .flatMap((metric) => ["table", ...indexes].map((where) => `${metric} ${where}`))
          .sort(),
      );
    }
  });

  it.each([
    [{ m1: 20 }, true],
    [{ m0: 10, m1: 10 }, true],
    [{ m0: 10, m1: 9 }, false],
  ])("is summed, and metrics without values count as 0: %j", (values, expected) => {
    expect(isBreaching(alarm("ThrottledUsersTable"), values)).toBe(expected);
  });
});
