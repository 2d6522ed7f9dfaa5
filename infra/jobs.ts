import { Duration, type Stack, Validations } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import {
  type EventSourceMappingOptions,
  FilterCriteria,
  type Function as LambdaFunction,
  StartingPosition,
} from "aws-cdk-lib/aws-lambda";
import { type IQueue, Queue } from "aws-cdk-lib/aws-sqs";
import { isScheduled } from "../functions/define-area.ts";
import { pascalCase } from "../lib/construct-ids.ts";
import { messagePartition } from "../lib/jobs/messages.ts";
import { allow } from "./functions.ts";
import type { Job } from "./lambdas.ts";
import { SettingError } from "./settings/settings.ts";
import { requiredTable, type Tables } from "./tables.ts";

/**
 * Starts jobs by their schedule, or by the stream of their area's table (docs/adr/0037).
 *
 * @returns the queue of what failed for good; undefined without jobs
 * @throws Error if a table in use has no stream, or too many jobs for one
 */
export function startJobs(
  stack: Stack,
  jobs: ReadonlyMap<string, Job>,
  lambdas: ReadonlyMap<string, LambdaFunction>,
  tables: Tables,
): IQueue | undefined {
  if (jobs.size === 0) return undefined;
  const failed = new Queue(stack, "FailedJobsQueue", {
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(failed).acknowledge({ id: "AwsSolutions-SQS3", reason: "It is a dead-letter queue itself" });
  // More are throttled ("DynamoDB Streams and AWS Lambda triggers").
  for (const [area, { length }] of Map.groupBy(jobs.values(), (job) => (isScheduled(job) ? "" : job.area)))
    if (area !== "" && length > 2)
      throw new Error(`Two jobs of ${area} can be started by messages and changes, not ${length}`);
  // As the constructs of other modules do, whose loading would make each synthesis slower.
  const onFailure = { bind: () => ({ destination: failed.queueArn }) };
  for (const [name, job] of jobs) {
    const lambda = lambdas.get(name) as LambdaFunction;
    failed.grantSendMessages(lambda);
    const options = { retryAttempts: (job.attempts ?? 3) - 1, onFailure };
    if (isScheduled(job)) {
      const schedule = Schedule.expression(job.startedBy);
      new Rule(stack, `${pascalCase(name)}Schedule`, { schedule, targets: [new LambdaTarget(lambda)] });
      lambda.configureAsyncInvoke(options);
    } else readStream(job, lambda, requiredTable(tables, job.area), options);
  }
  return failed as IQueue;
}

function readStream(
  job: Job,
  lambda: LambdaFunction,
  { tableArn, tableName, tableStreamArn }: ITable,
  options: Pick<EventSourceMappingOptions, "retryAttempts" | "onFailure">,
): void {
  if (tableStreamArn === undefined)
    throw new SettingError("streams", `must have ${job.area}: the table in use needs one for ${job.name}`);
  const partition = messagePartition(job.name);
  lambda.addEnvironment("JOB_TABLE", tableName);
  const ofStream = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];
  const ofMessages = ["DeleteItem", "GetItem", "Query", ...(job.startedBy === "change" ? ["PutItem"] : [])];
  const named = (names: readonly string[]) => names.map((name) => `dynamodb:${name}`);
  allow(lambda, named(ofStream), [tableStreamArn]);
  allow(lambda, named(ofMessages), [tableArn], {
    "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": [partition] },
  });
  const message = { Keys: { pk: { S: [partition] } }, NewImage: { pk: { S: [{ exists: true }] } } };
  // The partition keys of records are numbers.
  const record = { Keys: { pk: { S: [..."0123456789"].map((prefix) => ({ prefix })) } } };
  lambda.addEventSourceMapping("Stream", {
    ...options,
    eventSourceArn: tableStreamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 10,
    // In the end, only what fails is repeated.
    bisectBatchOnError: true,
    filters: [FilterCriteria.filter({ dynamodb: job.startedBy === "message" ? message : record })],
  });
}
