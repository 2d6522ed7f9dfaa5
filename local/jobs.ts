import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../cli/errors.ts";
import { writeFileAtomic } from "../cli/write-file-atomic.ts";
import type { ServedRequest } from "./api-gateway/gateway.ts";
import { callDynamodb, type EngineAddress, streamsPrefix } from "./database/dynamodb-call.ts";
import type { PoolResult } from "./lambda/function-pool.ts";
import type { FunctionRegistry } from "./lambda/function-registry.ts";
import type { LogSink } from "./log.ts";
import type { JobModel } from "./stack/model.ts";

/** As often as Lambda asks a stream. */
const POLL_MS = 250;
const FIRST_RETRY_MS = 500;
/** Before a stream that could not be read is read again. */
const ERROR_MS = 5_000;
const CLOSE_GRACE_MS = 5_000;

type StreamJob = JobModel & Required<Pick<JobModel, "stream">>;
type StreamRecord = {
  readonly dynamodb: { Keys: { pk: { S: string } }; NewImage?: object; SequenceNumber: string };
};

export type Jobs = ReturnType<typeof startJobs>;

/**
 * Reads the streams of jobs as Lambda does, and runs jobs on demand. What no job was given waits in the stream.
 * @param file where the positions in the streams are kept; undefined if the data is in memory
 */
export function startJobs(
  engine: EngineAddress,
  functions: FunctionRegistry,
  file: string | undefined,
  log: LogSink,
  onRun: (run: ServedRequest) => void,
) {
  const stop = new AbortController();
  /** By job and shard, the sequence numbers of the last records that were given to jobs. */
  const positions: Record<string, string> =
    file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const readers = new Map<string, Promise<void>>();
  let current: readonly JobModel[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: DynamoDB's responses
  const ask = (operation: string, body: object): Promise<any> =>
    callDynamodb(engine, streamsPrefix + operation, body);
  const pause = (ms: number) => delay(ms, undefined, { signal: stop.signal }).catch(() => undefined);

  async function run(name: string, payload: string): Promise<PoolResult> {
    const startedAt = performance.now();
    const job = current.find(({ functionName }) => functionName === name);
    const result = await functions.invoke(job?.functionId ?? name, payload);
    if (job && result.kind !== "throttled") onRun(shownRun(job.label, payload, result, startedAt));
    return result;
  }

  /** @throws Error if the local run ends before the records are handled, or have failed for good */
  async function deliver(job: StreamJob, records: readonly StreamRecord[], attempt = 0): Promise<void> {
    const { kind } = await run(job.functionName, JSON.stringify({ Records: records }));
    if (kind === "result") return;
    if (stop.signal.aborted) throw new Error("The local run has ended");
    if (records.length > 1) {
      const half = records.length >> 1;
      await deliver(job, records.slice(0, half));
      return await deliver(job, records.slice(half));
    }
    const text = `${job.label} has failed for good. Repeat it: npm run job -- ${job.label} --again --stage local`;
    if (attempt === job.stream.MaximumRetryAttempts) return log({ source: "jobs", text });
    await pause(FIRST_RETRY_MS * 2 ** attempt);
    await deliver(job, records, attempt + 1);
  }

  /** @returns whether there was a record */
  async function readShard(job: StreamJob, shard: { StreamArn: string; ShardId: string }): Promise<boolean> {
    const { BatchSize, FilterCriteria } = job.stream;
    const pattern = JSON.parse(FilterCriteria.Filters[0]?.Pattern ?? "").dynamodb;
    const matches = ({ dynamodb: { Keys, NewImage } }: StreamRecord) =>
      pattern.Keys.pk.S.some((each: string | { prefix: string }) =>
        typeof each === "string" ? each === Keys.pk.S && NewImage : Keys.pk.S.startsWith(each.prefix),
      );
    const key = [job.label, ...Object.values(shard)].join(" ");
    const after = { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: positions[key] };
    const iterator = await ask("GetShardIterator", { ...shard, ...after }).catch(() =>
      // There is no position, or the run was stopped for more than a day.
      ask("GetShardIterator", { ...shard, ShardIteratorType: "TRIM_HORIZON" }),
    );
    const { Records } = await ask("GetRecords", iterator);
    for (let i = 0; i < Records.length && !stop.signal.aborted; i += BatchSize) {
      const batch: StreamRecord[] = Records.slice(i, i + BatchSize);
      if (batch.some(matches)) await deliver(job, batch.filter(matches));
      positions[key] = batch.at(-1)?.dynamodb.SequenceNumber ?? "";
      if (file) writeFileAtomic(file, JSON.stringify(positions), 0o600);
    }
    return Records.length > 0;
  }

  async function readStream(job: StreamJob): Promise<void> {
    const TableName = job.stream.EventSourceArn.replace(/^.*:table\/|\/stream\/.*$/g, "");
    let hasRecords = false;
    for (const { StreamArn } of (await ask("ListStreams", { TableName })).Streams)
      for (const { ShardId } of (await ask("DescribeStream", { StreamArn })).StreamDescription.Shards)
        hasRecords = (await readShard(job, { StreamArn, ShardId })) || hasRecords;
    if (!hasRecords) await pause(POLL_MS);
  }

  async function keepReading(label: string): Promise<void> {
    const find = () =>
      current.find((each): each is StreamJob => each.label === label && each.stream !== undefined);
    for (let job = find(); job && !stop.signal.aborted; job = find())
      await readStream(job).catch((error) => {
        if (!stop.signal.aborted) log({ source: "jobs", text: `${label}: ${messageOf(error)}` });
        return pause(ERROR_MS);
      });
    readers.delete(label);
  }

  return {
    replace(jobs: readonly JobModel[]): void {
      current = jobs;
      for (const { label, stream } of jobs)
        if (stream && !readers.has(label)) readers.set(label, keepReading(label));
    },
    run,
    /** Waits a little for running jobs: what they do not end is repeated. */
    async close(): Promise<void> {
      stop.abort();
      await Promise.race([Promise.all(readers.values()), delay(CLOSE_GRACE_MS, undefined, { ref: false })]);
    },
  };
}

function shownRun(
  target: string,
  payload: string,
  result: Exclude<PoolResult, { readonly kind: "throttled" }>,
  startedAt: number,
): ServedRequest {
  const { requestId = randomUUID(), calls = [], isCold = true } = result;
  const [statusCode, text] = result.kind === "result" ? [200, result.payload] : [500, result.reason];
  const sent = { method: "JOB", target, routeKey: `JOB ${target}`, rawHeaders: [] };
  return {
    ...{ ...sent, requestId, calls, startedAt, statusCode, start: isCold ? "cold" : "warm" },
    milliseconds: performance.now() - startedAt,
    capacityUnits: calls.reduce((sum, { capacityUnits }) => sum + capacityUnits, 0),
    requestBody: Buffer.from(payload),
    response: { statusCode, headers: {}, body: Buffer.from(text) },
  };
}
