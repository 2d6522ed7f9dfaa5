import { CfnOutput, Duration, type Stack } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  type IAlarm,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { type EventPattern, Match, Rule, RuleTargetInput } from "aws-cdk-lib/aws-events";
import { SnsTopic } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Alias, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Subscription, SubscriptionProtocol, Topic } from "aws-cdk-lib/aws-sns";
import { pascalCase, tableConstructId } from "../../lib/construct-ids.ts";
import { objectiveAreas, objectiveOf } from "../settings/objectives.ts";
import type { Stage } from "../settings/stages.ts";
import {
  burnRate,
  failedVisits,
  failingShare,
  loggedBytes,
  refusedShare,
  serverErrorShare,
  throttledRequests,
  usedConcurrency,
} from "./alarm-metrics.ts";
import type { Monitored } from "./dashboard.ts";
import { METRIC_PERIOD } from "./metrics.ts";

/** When an alarm goes off: in `breaching` of the last `evaluated` periods the threshold is reached. */
interface Limit {
  readonly threshold: number;
  readonly breaching: number;
  readonly evaluated: number;
  /** Whether no data is an alarm too. Without requests, as by default, there is none. */
  readonly isSilenceBreaching?: boolean;
}

/** 2 % of a month's allowance in an hour, and 5 % in six, an alarm's long window (docs/adr/0032). */
export const fastBurn: Limit = { threshold: 14.4, breaching: 2, evaluated: 12 };
export const slowBurn: Limit = { threshold: 0.006, breaching: 3, evaluated: 12 };
export const onePercent: Limit = { threshold: 0.01, breaching: 2, evaluated: 3 };
const any: Limit = { threshold: 1, breaching: 1, evaluated: 1 };
export const anyOrSilence: Limit = { threshold: 1, breaching: 2, evaluated: 3, isSilenceBreaching: true };

/** Short peaks of throttling are harmless, because the SDK retries. */
const repeatedThrottling: Limit = { threshold: 20, breaching: 2, evaluated: 3 };
/** A client that repeats a mistake is over within five minutes. */
const repeated = { breaching: 2, evaluated: 3 };

/** One failure can be DynamoDB's. Metrics from logs arrive late: earlier minutes are evaluated again. */
export const tenPercentInTwoMinutes: Limit = { threshold: 0.1, breaching: 2, evaluated: 5 };

const eightyPercent: Limit = { threshold: 80, breaching: 1, evaluated: 1 };

/** Of a line of the function and one of the gateway (docs/figures/prices.md). */
const LOG_BYTES_PER_REQUEST = 600;

/** The alarms, and their topic for e-mail or chat. */
export function alarms(
  stack: Stack,
  stage: Stage,
  monitored: Monitored,
  { damages, failures, isMissing }: Readonly<Record<"damages" | "failures" | "isMissing", IMetric>>,
  visitor: LambdaFunction | undefined,
): { topic: Topic; all: readonly IAlarm[] } {
  const topic = createTopic(stack, stage);
  const action = new SnsAction(topic);
  const all: IAlarm[] = [];
  const alarm = (id: string, metric: IMetric, limit: Limit, meaning: string, runbook = id) => {
    const created = createAlarm(stack, stage, id, metric, limit, meaning, runbook);
    created.addAlarmAction(action);
    created.addOkAction(action);
    all.push(created);
  };

  for (const [name, lambda] of [...monitored.functions].filter(([name]) => objectiveAreas.includes(name))) {
    const { percent, milliseconds } = objectiveOf(stage, name);
    const meaning = `The area ${name} misses its objective, ${percent} % without a server error and 99 % within ${milliseconds} ms: its allowance for 30 days is used up in two`;
    alarm(`BurnRate${pascalCase(name)}`, burnRate(stage, name, lambda), fastBurn, meaning, "BurnRate");
  }
  const errors = (minimum: number, period: Duration) => serverErrorShare(monitored, minimum, period);
  const failed = "of the requests failed with a server error";
  alarm("ServerErrors", errors(5, METRIC_PERIOD), onePercent, `1 % ${failed}, at least 5 in five minutes`);
  const halfHour = Duration.minutes(30);
  alarm("SlowBurn", errors(3, halfHour), slowBurn, `0.6 % ${failed} in 90 minutes out of six hours`);

  for (const [name, table] of monitored.tables) {
    const meaning = `DynamoDB throttles the ${name} table or one of its indexes`;
    for (const [i, metric] of throttledRequests(name, table).entries()) {
      const id = `Throttled${tableConstructId(name)}${i === 0 ? "" : i + 1}`;
      alarm(id, metric, repeatedThrottling, meaning, "Throttled");
    }
  }

  for (const { id, metric, alarm: limit } of monitored.logMetrics.counted)
    if (limit)
      alarm(id, metric, { ...repeated, threshold: limit.threshold }, `${limit.meaning} in five minutes`);
  const refused = "20 % of the requests, at least 100 in five minutes, were refused with 401, 403 or 429";
  alarm("Refusals", refusedShare(monitored), { ...repeated, threshold: 0.2 }, refused);
  const damaged = "The daily repair or a request found damaged data";
  alarm("Damaged", damages, any, damaged);
  alarm("RepairFailed", failures, any, "The daily repair failed");
  const missing: Limit = { threshold: 1, breaching: 2, evaluated: 2, isSilenceBreaching: true };
  alarm("RepairMissing", isMissing, missing, "The daily repair has not run for two days");
  const waiting = monitored.failedJobs?.metricApproximateNumberOfMessagesVisible({ period: METRIC_PERIOD });
  if (waiting) alarm("FailedJobs", waiting, any, "A job has failed for good");
  if (visitor !== undefined)
    alarm("Visitor", failedVisits(visitor), anyOrSilence, "A visit of the API failed, or there was none");
  const quota = "Functions use 80 % of the account's quota of concurrent executions";
  alarm("Concurrency", usedConcurrency(), eightyPercent, quota);
  const bytes = stage.requestsPerSecond * 3_600 * LOG_BYTES_PER_REQUEST;
  const logs = `All logs of the account got ${(bytes / 1e9).toFixed(1)} GB in an hour, more than all requests of this stage write`;
  alarm("LogVolume", loggedBytes(), { ...any, threshold: bytes }, logs);
  notifyOfCertificate(stack, stage, topic);
  return { topic, all };
}

/** The alarm that ends the rollout of a function's version. It notifies nobody: the deployment fails. */
export function rolloutAlarm(stack: Stack, stage: Stage, name: string, alias: Alias): IAlarm {
  const id = `${pascalCase(name)}RolloutErrors`;
  const meaning = `10 % of the requests to a new version of ${name} failed in two of five minutes, which ends its rollout`;
  const share = failingShare(stage, name, alias);
  return createAlarm(stack, stage, id, share, tenPercentInTwoMinutes, meaning, "RolloutErrors");
}

/** Tells of a rollout that ended with the version before, which is an event and costs nothing. */
export function notifyOfRollouts(stack: Stack, stage: Stage, topic: Topic, applicationName: string): void {
  const pattern = {
    source: ["aws.codedeploy"],
    detailType: ["CodeDeploy Deployment State-change Notification"],
    detail: { application: [applicationName], state: ["FAILURE", "STOPPED"] },
  };
  const text = "the rollout of a new version failed, and clients get the version before";
  notify(stack, stage, "RolloutFailed", topic, pattern, text, "RolloutErrors");
}

/** Certificate Manager renews a certificate 60 days before its end, and sends an event a day if it can't. */
function notifyOfCertificate(stack: Stack, stage: Stage, topic: Topic): void {
  if (stage.domain === undefined) return;
  const pattern = {
    source: ["aws.acm"],
    detailType: ["ACM Certificate Approaching Expiration"],
    detail: { DaysToExpiry: Match.lessThanOrEqual(30) },
    resources: [stage.domain.certificateArn],
  };
  const text = `the certificate of ${stage.domain.name} expires within 30 days`;
  notify(stack, stage, "CertificateExpires", topic, pattern, text);
}

function notify(
  stack: Stack,
  stage: Stage,
  id: string,
  topic: Topic,
  eventPattern: EventPattern,
  text: string,
  runbook = id,
): void {
  const message = RuleTargetInput.fromText(`${stack.stackName}: ${text}. ${whatToDo(stage, runbook)}`);
  new Rule(stack, id, { eventPattern, targets: [new SnsTopic(topic, { message })] });
}

/** With the address of the runbook, if the stage knows where the page can be opened. */
function whatToDo({ runbooks }: Stage, runbook: string): string {
  return `What to do: ${runbooks ?? "docs/operations.md"}#${runbook.toLowerCase()}`;
}

function createAlarm(
  stack: Stack,
  stage: Stage,
  id: string,
  metric: IMetric,
  { threshold, breaching, evaluated, isSilenceBreaching }: Limit,
  meaning: string,
  runbook: string,
): Alarm {
  return new Alarm(stack, id, {
    metric,
    alarmDescription: `${meaning}. ${whatToDo(stage, runbook)}`,
    threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    datapointsToAlarm: breaching,
    evaluationPeriods: evaluated,
    treatMissingData: isSilenceBreaching ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
}

/** Has no key of its own, for $1 a month or more: what it sends is in the mail as plain text. */
function createTopic(stack: Stack, { alarmEmail: endpoint }: Stage): Topic {
  const topic = new Topic(stack, "Alarms", { enforceSSL: true });
  if (endpoint !== undefined)
    new Subscription(stack, "AlarmsByEmail", { topic, protocol: SubscriptionProtocol.EMAIL, endpoint });
  // `enforceSSL` replaces the default policy, which allows the account's alarms to publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
  );
  const description = "The topic that alarms are sent to";
  new CfnOutput(stack, "AlarmTopicArn", { value: topic.topicArn, description });
  return topic;
}
