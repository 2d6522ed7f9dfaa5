import { ScanCommand } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";
import type { MeteredDatabase } from "../../bench/costs/metering.ts";
import { isScheduled } from "../../functions/define-area.ts";
import { jobs } from "../../infra/lambdas.ts";
import { messagePartition } from "../../lib/jobs/messages.ts";
import { tableVariable } from "../../lib/settings.ts";
import { context } from "../support/api/invoke.ts";
import type { Usage } from "../support/programs/usage.ts";

export interface JobUsage extends Usage {
  readonly writeUnits: number;
}

/**
 * Runs each job once: with a message that an example request has left, with a record as if it were new, or as its
 * schedule does. Other services, such as one for mails, are those of the settings' defaults.
 *
 * @param measured gets their usages by `<area>/<job>`; undefined if no example request leaves a message
 */
export async function measureJobs(
  metered: MeteredDatabase,
  client: DynamoDBDocumentClient,
  environment: Readonly<Record<string, string>>,
  measured: Map<string, JobUsage | undefined>,
): Promise<void> {
  for (const job of jobs.values()) {
    const label = `${job.area}/${job.name}`;
    const table = environment[tableVariable(job.area)] ?? "";
    const isStarting = (partition: string) =>
      job.startedBy === "message" ? partition === messagePartition(job.name) : /^\d+$/.test(partition);
    const starting = isScheduled(job) ? undefined : await findItem(client, table, isStarting);
    measured.set(label, undefined);
    if (starting === undefined && !isScheduled(job)) continue;
    Object.assign(process.env, { JOB: label, JOB_TABLE: table });
    const { [job.name]: handler } = await import(`../../functions/${job.area}/jobs.ts`);
    const milliseconds = { getRemainingTimeInMillis: () => 600_000 };
    const { calls, inSequence, units, writeUnits } = await metered.usageOf(() =>
      handler({ Records: starting ? [starting] : [] }, { ...context, ...milliseconds }),
    );
    measured.set(label, { calls, inSequence, units, writeUnits });
  }
}

/** The first item of a matching partition, as the stream of its table has it. */
async function findItem(
  client: DynamoDBDocumentClient,
  TableName: string,
  matches: (partition: string) => boolean,
): Promise<DynamoDBRecord | undefined> {
  let ExclusiveStartKey: Record<string, never> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({ TableName, ExclusiveStartKey }),
    );
    const item = Items.find(({ pk }) => matches(pk?.S ?? ""));
    if (item !== undefined)
      return {
        eventName: "INSERT",
        dynamodb: { Keys: { pk: item.pk, sk: item.sk }, NewImage: item, SequenceNumber: "1" },
      } as DynamoDBRecord;
    ExclusiveStartKey = LastEvaluatedKey as typeof ExclusiveStartKey;
  } while (ExclusiveStartKey !== undefined);
  return undefined;
}
