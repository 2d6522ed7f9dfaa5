import { CfnOutput, Duration, RemovalPolicy, type Stack } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  type IAlarm,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import type { Alias } from "aws-cdk-lib/aws-lambda";
import { Subscription, SubscriptionProtocol, Topic } from "aws-cdk-lib/aws-sns";
import { pascalCase, tableConstructId } from "../../lib/construct-ids.ts";
import type { scheduleRepair } from "../repair.ts";
import type { Stage } from "../stages.ts";
import { failingShare, serverErrorShare, slowResponseShare, throttledRequests } from "./alarm-metrics.ts";
import type { Monitored } from "./dashboard.ts";
import { METRIC_PERIOD, SLOW_MILLISECONDS } from "./metrics.ts";

/** When an alarm goes off: in `breaching` of the last `evaluated` periods the threshold is reached. */
interface Limit {
  readonly threshold: number;
  readonly breaching: number;
  readonly evaluated: number;
}

// 1 % for much traffic, half of an hour's requests for little (docs/adr/0015).
const onePercent: Limit = { threshold: 0.01, breaching: 2, evaluated: 3 };
const half: Limit = { threshold: 0.5, breaching: 1, evaluated: 1 };
const any: Limit = { threshold: 1, breaching: 1, evaluated: 1 };

/** Short peaks of throttling are harmless, because the SDK retries. */
const repeatedThrottling: Limit = { threshold: 20, breaching: 2, evaluated: 3 };

/** One failure can be DynamoDB's. Metrics from logs arrive late: earlier minutes are evaluated again. */
const tenPercentInTwoMinutes: Limit = { threshold: 0.1, breaching: 2, evaluated: 5 };

const hour = Duration.hours(1);

/** The alarms, and their topic for e-mail or chat. Without data, as without requests, none goes off. */
export function alarms(
  stack: Stack,
  { alarmEmail }: Stage,
  monitored: Omit<Monitored, "functions">,
  { damages, failures }: ReturnType<typeof scheduleRepair>,
): void {
  const topic = createTopic(stack);
  const action = new SnsAction(topic);
  if (alarmEmail !== undefined)
    new Subscription(stack, "AlarmsByEmail", {
      topic,
      protocol: SubscriptionProtocol.EMAIL,
      endpoint: alarmEmail,
    });
  const alarm = (id: string, metric: IMetric, limit: Limit, meaning: string, runbook = id) => {
    const created = createAlarm(stack, id, metric, limit, meaning, runbook);
    created.addAlarmAction(action);
    created.addOkAction(action);
  };

  const errors = (minimum: number, period: Duration) => serverErrorShare(monitored, minimum, period);
  const failed = "of the requests failed with a server error";
  alarm("ServerErrors", errors(5, METRIC_PERIOD), onePercent, `1 % ${failed}, at least 5 in five minutes`);
  alarm("ServerErrorsInAnHour", errors(3, hour), half, `Half ${failed}, at least 3 in an hour`);

  const slow = (minimum: number, period: Duration) => slowResponseShare(monitored, minimum, period);
  const tookLong = `of the responses took more than ${SLOW_MILLISECONDS / 1000} s`;
  alarm("SlowResponses", slow(5, METRIC_PERIOD), onePercent, `1 % ${tookLong}, at least 5 in five minutes`);
  alarm("SlowResponsesInAnHour", slow(5, hour), half, `Half ${tookLong}, at least 5 in an hour`);

  for (const [name, table] of monitored.tables) {
    const id = `Throttled${tableConstructId(name)}`;
    const meaning = `DynamoDB throttles the ${name} table or one of its indexes`;
    alarm(id, throttledRequests(name, table), repeatedThrottling, meaning, "Throttled");
  }

  const damaged = "The daily repair or a request found damaged data, or a stored time from a wrong clock";
  alarm("Damaged", damages, any, damaged);
  alarm("RepairFailed", failures, any, "The daily repair failed");
}

/** The alarm that ends the rollout of a function's version. It notifies nobody: the deployment fails. */
export function rolloutAlarm(stack: Stack, stage: Stage, name: string, alias: Alias): IAlarm {
  const id = `${pascalCase(name)}RolloutErrors`;
  const meaning = `10 % of the requests to a new version of ${name} failed in two of five minutes, which ends its rollout`;
  const share = failingShare(stage, name, alias);
  return createAlarm(stack, id, share, tenPercentInTwoMinutes, meaning, "RolloutErrors");
}

function createAlarm(
  stack: Stack,
  id: string,
  metric: IMetric,
  { threshold, breaching, evaluated }: Limit,
  meaning: string,
  runbook: string,
): Alarm {
  return new Alarm(stack, id, {
    metric,
    alarmDescription: `${meaning}. What to do: docs/operations.md#${runbook.toLowerCase()}`,
    threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    datapointsToAlarm: breaching,
    evaluationPeriods: evaluated,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

/** The topic is encrypted with a key of its own: CloudWatch must not use the one of SNS. */
function createTopic(stack: Stack): Topic {
  const allowAlarms = (actions: string[], resource: string) =>
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions,
      resources: [resource],
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    });
  const masterKey = new Key(stack, "AlarmsKey", {
    description: `${stack.stackName}: alarms`,
    enableKeyRotation: true,
    // It encrypts messages on their way only, so that nothing needs it after the stack.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  masterKey.addToResourcePolicy(allowAlarms(["kms:Decrypt", "kms:GenerateDataKey*"], "*"));
  const topic = new Topic(stack, "Alarms", { enforceSSL: true, masterKey });
  // `enforceSSL` replaces the default policy, which allows the account's alarms to publish.
  topic.addToResourcePolicy(allowAlarms(["sns:Publish"], topic.topicArn));
  const description = "The topic that alarms are sent to";
  new CfnOutput(stack, "AlarmTopicArn", { value: topic.topicArn, description });
  return topic;
}
