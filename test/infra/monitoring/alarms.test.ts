import { describe, expect, it } from "vitest";
import { configuredStage } from "../../support/infra/assembly.ts";
import { metricMath } from "../../support/infra/metric-math.ts";
import { resourcesOf, stageTemplate } from "../../support/infra/templates.ts";
import { headingsOf } from "../../support/markdown.ts";

const template = stageTemplate("prod");

interface Alarm {
  /** Undefined for an alarm on a single metric. */
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: object;
  }[];
  readonly AlarmActions?: readonly unknown[];
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
  readonly AlarmDescription: string;
}

type Values = Readonly<Record<string, number | undefined>>;

const resources = resourcesOf(template, "AWS::CloudWatch::Alarm");
const alarms = new Map(resources.map(([id, each]) => [id.slice(0, -8), each.Properties as Alarm]));
const rolloutAlarms = [...alarms.keys()].filter((name) => name.endsWith("RolloutErrors"));

const statisticsOf = ({ Metrics = [] }: Alarm) => Metrics.filter(({ MetricStat }) => MetricStat);

/** Whether a period with these values counts towards the alarm. */
function isBreaching(alarm: Alarm | undefined, values: Values): boolean {
  if (alarm === undefined) throw new Error("There is no such alarm");
  const expression = alarm.Metrics?.find(({ Expression }) => Expression)?.Expression ?? "";
  const missing = statisticsOf(alarm).map(({ Id }) => [Id, undefined]);
  return metricMath(expression, { ...Object.fromEntries(missing), ...values }) >= alarm.Threshold;
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
      expect(statisticsOf(each).length).toBeLessThanOrEqual(10);
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
    const rules = resourcesOf(stageTemplate("configured"), "AWS::Events::Rule");
    const byEvents = rules.map(([, rule]) => rule.Properties).filter(({ EventPattern }) => EventPattern);
    const topic = { Arn: { Ref: expect.stringMatching(/^Alarms/) } };
    expect(byEvents.map(({ EventPattern, Targets }) => [EventPattern, Targets[0]])).toMatchObject([
      [{ source: ["aws.acm"], resources: [configuredStage.certificateArn] }, topic],
      [{ source: ["aws.codedeploy"], detail: { state: ["FAILURE", "STOPPED"] } }, topic],
    ]);
  });
});

const responses = (invoked: number, slow: number) => ({ invoked, fast: 100 - (100 * slow) / invoked });

it.each<[alarm: string, what: string, values: Values, expected: boolean]>([
  ["ServerErrors", "five of 300,000 (a thousand a second)", { errors: 5, requests: 300_000 }, false],
  ["ServerErrors", "1 % of these", { errors: 3_000, requests: 300_000 }, true],
  ["ServerErrors", "all of four", { errors: 4, requests: 4 }, false],
  ["ServerErrors", "all of five", { errors: 5, requests: 5 }, true],
  ["ServerErrors", "none of many", { errors: undefined, requests: 1_000 }, false],
  ["BurnRateAccounts", "one of one", { failed: 1, invoked: 1, fast: 100 }, true],
  ["BurnRateAccounts", "a crash of one", { crashed: 1, invoked: 1, fast: 100 }, true],
  ["BurnRateAccounts", "1.45 %, half crashes", { crashed: 72, failed: 73, invoked: 10_000, fast: 100 }, true],
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
  expect(isBreaching(alarms.get(name), values)).toBe(expected);
});

it.each<[string, Values, boolean]>([
  ["its one request fails", { invoked: 1, failed: 1 }, true],
  ["it crashes on a tenth of its hundred", { invoked: 100, crashed: 10 }, true],
  ["nine of its hundred fail", { invoked: 100, failed: 9 }, false],
  ["nothing fails", { invoked: 100 }, false],
  ["it gets no request", {}, false],
])("the alarm that ends a rollout counts a minute in which %s: %#", (_, values, expected) => {
  expect(rolloutAlarms.length).toBeGreaterThan(0);
  for (const name of rolloutAlarms) expect(isBreaching(alarms.get(name), values)).toBe(expected);
});
