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

const responses = (requests: number, slow: number) => ({ requests, fast: 100 - (100 * slow) / requests });

it.each<[alarm: string, what: string, values: Record<string, number | undefined>, expected: boolean]>([
  ["ServerErrors", "five of 300,000 (a thousand a second)", { errors: 5, requests: 300_000 }, false],
  ["ServerErrors", "1 % of these", { errors: 3_000, requests: 300_000 }, true],
  ["ServerErrors", "all of four", { errors: 4, requests: 4 }, false],
  ["ServerErrors", "all of five", { errors: 5, requests: 5 }, true],
  ["ServerErrors", "none of many", { errors: undefined, requests: 1_000 }, false],
  ["ServerErrorsInAnHour", "all of five", { errors: 5, requests: 5 }, true],
  ["ServerErrorsInAnHour", "three of six", { errors: 3, requests: 6 }, true],
  ["ServerErrorsInAnHour", "three of seven", { errors: 3, requests: 7 }, false],
  ["ServerErrorsInAnHour", "two of two", { errors: 2, requests: 2 }, false],
  ["ServerErrorsInAnHour", "none of five", { errors: undefined, requests: 5 }, false],
  ["SlowResponses", "two searches among five", responses(5, 2), false],
  ["SlowResponses", "two searches and nothing else", responses(2, 2), false],
  ["SlowResponses", "five of six hundred", responses(600, 5), false],
  ["SlowResponses", "five of four hundred", responses(400, 5), true],
  ["SlowResponses", "1 % of a thousand a second", responses(300_000, 3_200), true],
  ["SlowResponses", "0.1 % of these", responses(300_000, 300), false],
  ["SlowResponsesInAnHour", "two searches among five", responses(5, 2), false],
  ["SlowResponsesInAnHour", "six of eight", responses(8, 6), true],
  ["SlowResponsesInAnHour", "six of thirteen", responses(13, 6), false],
  ["ThrottledUsersTable", "all of one metric", { m1: 20 }, true],
  ["ThrottledUsersTable", "the sum of two", { m0: 10, m1: 10 }, true],
  ["ThrottledUsersTable", "less than that", { m0: 10, m1: 9 }, false],
])("%s counts a period with %s: %#", (name, _, values, expected) => {
  expect(isBreaching(alarm(name), values)).toBe(expected);
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
