import { CfnOutput, Duration, type Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { TableName } from "../tables.ts";
import { shareOfServerErrors, shareOfSlowAnswers, throttled } from "./alarm-metrics.ts";
import { type Monitored, period, SLOW_MILLISECONDS } from "./monitored.ts";

/** When a metric is told: it is at the threshold or above in so many of the last periods. */
interface Bound {
  readonly threshold: number;
  readonly periods: readonly [breaching: number, of: number];
}

/** A hundredth where there is much traffic, and half of an hour's requests where there is little (docs/adr/0015). */
const hundredth: Bound = { threshold: 0.01, periods: [2, 3] };
const half: Bound = { threshold: 0.5, periods: [1, 1] };

/** What is throttled in a short peak comes through at the next attempt. */
const often: Bound = { threshold: 20, periods: [2, 3] };

const hour = Duration.hours(1);

/**
 * Alarms to a topic, whose ARN is an output of the stack: subscribe to it by e-mail or chat. Silence is no alarm.
 */
export function alarms(stack: Stack, watched: Omit<Monitored, "functions">): void {
  const action = new SnsAction(topicOf(stack));
  const alarm = (id: string, metric: IMetric, { threshold, periods }: Bound, alarmDescription: string) =>
    new Alarm(stack, id, {
      metric,
      alarmDescription,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      datapointsToAlarm: periods[0],
      evaluationPeriods: periods[1],
      treatMissingData: TreatMissingData.NOT_BREACHING,
    }).addAlarmAction(action);

  const errors = (atLeast: number, period: Duration) => shareOfServerErrors(watched, { atLeast, period });
  const fail = "requests end in a server error, or Lambda refuses them";
  alarm("ServerErrors", errors(5, period), hundredth, `1 % of the ${fail}: 5 or more in five minutes`);
  alarm("ServerErrorsInAnHour", errors(3, hour), half, `Half of the ${fail}: 3 or more in an hour`);

  const slow = (atLeast: number, period: Duration) => shareOfSlowAnswers(watched, { atLeast, period });
  const late = `answers take more than ${SLOW_MILLISECONDS / 1000} s`;
  alarm("SlowAnswers", slow(5, period), hundredth, `1 % of the ${late}: 5 or more in five minutes`);
  alarm("SlowAnswersInAnHour", slow(5, hour), half, `Half of the ${late}: 5 or more in an hour`);

  for (const name of Object.keys(watched.tables) as TableName[]) {
    const { id } = watched.tables[name].node;
    const where = `the table of ${name}, or an index of it: the dashboard shows them one by one`;
    alarm(`Throttled${id}`, throttled(watched.tables, name), often, `DynamoDB throttles ${where}`);
  }
}

function topicOf(stack: Stack): Topic {
  const topic = new Topic(stack, "Alarms", { enforceSSL: true });
  // A topic with a policy of its own lacks the default one, by which the account's alarms may publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
  );
  new CfnOutput(stack, "AlarmTopicArn", { value: topic.topicArn, description: "Where alarms are sent" });
  return topic;
}
