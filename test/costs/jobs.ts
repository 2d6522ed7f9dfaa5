import { type AttributeValue, ScanCommand } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { MeteredDatabase } from "../../bench/costs/metering.ts";
import { isScheduled } from "../../functions/define-area.ts";
import { type Job, jobs } from "../../infra/lambdas.ts";
import { messagePartition } from "../../lib/jobs/messages.ts";
import { tableVariable } from "../../lib/settings.ts";
import { context } from "../support/api/invoke.ts";
import type { Usage } from "../support/programs/usage.ts";

type Item = Record<string, AttributeValue>;

export interface JobCosts {
  readonly job: Job;
  /** Undefined if no example request leaves a message. */
  readonly usage: (Usage & { readonly writeUnits: number }) | undefined;
}

/** Runs each job with the messages that example requests have left, with a record as if it were new, or as its schedule does. */
export async function measureJobs(
  metered: MeteredDatabase,
  client: DynamoDBDocumentClient,
  environment: Readonly<Record<string, string>>,
  /** Gets the highest usage by `<area>/<job>`. */
  measured: Map<string, JobCosts>,
): Promise<void> {
  for (const job of jobs.values()) {
    const label = `${job.area}/${job.name}`;
    const table = environment[tableVariable(job.area)] ?? "";
    Object.assign(process.env, { JOB: label, JOB_TABLE: table });
    const { [job.name]: handler } = await import(`../../functions/${job.area}/jobs.ts`);
    const milliseconds = { getRemainingTimeInMillis: () => 600_000 };
    const usages: NonNullable<JobCosts["usage"]>[] = [];
    for (const Records of isScheduled(job) ? [[]] : await recordsFor(job, client, table)) {
      const { calls, inSequence, units, writeUnits } = await metered.usageOf(() =>
        handler({ Records }, { ...context, ...milliseconds }),
      );
      usages.push({ calls, inSequence, units, writeUnits });
    }
    measured.set(label, { job, usage: usages.sort((a, b) => b.units - a.units)[0] });
  }
}

/** The messages of a job, or a record of its table, each as the stream has it. */
async function recordsFor(job: Job, client: DynamoDBDocumentClient, TableName: string) {
  const found: Item[] = [];
  const isWanted = ({ pk }: Item) =>
    job.startedBy === "message"
      ? pk?.S === messagePartition(job.name)
      : found.length === 0 && /^\d+$/.test(pk?.S ?? "");
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey }));
    for (const item of page.Items ?? []) if (isWanted(item)) found.push(item);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return found.map((item) => {
    const dynamodb = { Keys: { pk: item.pk, sk: item.sk }, NewImage: item, SequenceNumber: "1" };
    return [{ eventName: "INSERT", dynamodb }];
  });
}
