import { describe, expect, it } from "vitest";
import { configuredStage } from "../../support/infra/assembly.ts";
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
  readonly Period?: number;
  readonly DatapointsToAlarm: number;
  readonly EvaluationPeriods: number;
  readonly AlarmActions?: readonly unknown[];
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

describe("the alarms", () => {
  it("each say what they mean, and link to their runbook", () => {
    const headings = headingsOf("docs/operations.md", 3).map((heading) => heading.toLowerCase());
    for (const { AlarmDescription: description } of alarms.values()) {
      const [, anchor] = /^[A-Z\d].+\. What to do: docs\/operations\.md#(\w+)$/.exec(description) ?? [];
      expect(headings, description).toContain(anchor);
    }
  });

  it("do not go off without data, except for what has to happen anyway", () => {
    const always = ["RepairMissing", "Visitor"];
    for (const [name, each] of alarms) {
      expect(each.TreatMissingData).toBe(always.includes(name) ? "breaching" : "notBreaching");
      expect(each.ComparisonOperator).toBe("GreaterThanOrEqualToThreshold");
      // CloudWatch's limit for an expression.
      expect(statistics(each).length).toBeLessThanOrEqual(10);
      if (each.Metrics && !always.includes(name)) expect(isBreaching(each, {})).toBe(false);
    }
  });

  it("send mails unless they end a rollout", () => {
    for (const [name, { AlarmActions: actions = [] }] of alarms)
      expect(actions.length, name).toBe(name.endsWith("RolloutErrors") ? 0 : 1);
  });

  it("link to the page that a setting names", () => {
    for (const [, { Properties }] of resourcesOf(stageTemplate("configured"), "AWS::CloudWatch::Alarm"))
      expect(Properties.AlarmDescription).toMatch(/ What to do: https:\/\/example\.com\/operations#\w+$/);
  });

  it("tell of failed rollouts and of the certificate by events, which cost nothing", () => {
    const rules = resourcesOf(stageTemplate("configured"), "AWS::Events::Rule").map(
      ([, rule]) => rule.Properties,
    );
    const patterns = rules.flatMap(
      ({ EventPattern, Targets }) => EventPattern && [[EventPattern, Targets[0]]],
    );
    const topic = { Arn: { Ref: expect.stringMatching(/^Alarms/) } };
    expect(patterns.filter(Boolean)).toMatchObject([
      [{ source: ["aws.acm"], resources: [configuredStage.certificateArn] }, topic],
      [{ source: ["aws.codedeploy"], detail: { state: ["FAILURE", "STOPPED"] } }, topic],
    ]);
  });
});

const responses = (invoked: number, slow: number) => ({ invoked, fast: 100 - (100 * slow) / invoked });

it.each<[alarm: string, what: string, values: Record<string, number | undefined>, expected: boolean]>([
  ["ServerErrors", "five of 300,000 (a thousand a second)", { errors: 5, requests: 300_000 }, false],
  ["ServerErrors", "1 % of these", { errors: 3_000, requests: 300_000 }, true],
  ["ServerErrors", "all of four", { errors: 4, requests: 4 }, false],
  ["ServerErrors", "all of five", { errors: 5, requests: 5 }, true],
  ["ServerErrors", "none of many", { errors: undefined, requests: 1_000 }, false],
  ["BurnRateAccounts", "one of one", { failed: 1, invoked: 1, fast: 100 }, true],
  ["BurnRateAccounts", "a crash of one", { crashed: 1, invoked: 1, fast: 100 }, true],
  [
    "BurnRateAccounts",
    "1.45 % of many, half of them crashes",
    { crashed: 72, failed: 73, invoked: 10_000, fast: 100 },
    true,
  ],
  ["BurnRateAccounts", "one of twenty", { failed: 1, invoked: 20, fast: 100 }, false],
  ["BurnRateAccounts", "two slow ones among three", responses(3, 2), false],
  ["BurnRateAccounts", "three among twenty", responses(20, 3), true],
  ["BurnRateAccounts", "14 % of a thousand", responses(1_000, 140), false],
  ["SlowBurn", "0.6 % of a thousand", { errors: 6, requests: 1_000 }, true],
  ["SlowBurn", "two of two", { errors: 2, requests: 2 }, false],
  ["Refusals", "99 of 100", { refused: 99, requests: 100 }, false],
  ["Refusals", "a fifth of 500", { refused: 100, requests: 500 }, true],
  ["Visitor", "no visit", {}, true],
  ["Visitor", "five that succeeded", { visits: 5 }, false],
  ["Visitor", "one that failed", { visits: 5, failed: 1 }, true],
  ["RepairMissing", "one run", { runs: 1 }, false],
  ["Concurrency", "799 of 1,000", { used: 799 }, false],
  ["Concurrency", "800 of these", { used: 800 }, true],
  ["ThrottledAccountsTable", "the sum of two", { m0: 10, m1: 10 }, true],
  ["ThrottledAccountsTable", "less than that", { m0: 10, m1: 9 }, false],
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
    ["its one request gets one", minute(10, { failed: 1 }), true],
    ["it crashes on a tenth of its hundred", minute(1_000, { crashed: 10 }), true],
    ["nine of its hundred fail", minute(1_000, { failed: 9 }), false],
    ["nothing fails", minute(1_000), false],
    ["it gets no request", {}, false],
  ])("counts a minute in which %s: %#", (_, values, expected) => {
    for (const name of rolloutAlarms) expect(isBreaching(alarm(name), values)).toBe(expected);
  });
});
