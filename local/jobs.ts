import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../cli/errors.ts";
import { writeFileAtomic } from "../cli/write-file-atomic.ts";
import type { ServedRequest } from "./api-gateway/gateway.ts";
import type { AwsService } from "./aws/endpoint.ts";
import { callDynamodb, type EngineAddress, streamsPrefix } from "./database/dynamodb-call.ts";
import type { PoolResult } from "./lambda/function-pool.ts";
import type { FunctionRegistry } from "./lambda/function-registry.ts";
import type { LogSink } from "./log.ts";
import { localArn } from "./stack/arn.ts";
import type { JobModel } from "./stack/model.ts";

const POLL_MS = 250;
const FIRST_RETRY_MS = 500;
const ERROR_MS = 5_000;
const CLOSE_GRACE_MS = 5_000;

type StreamJob = JobModel & Required<Pick<JobModel, "stream">>;
type StreamRecord = {
  readonly dynamodb: { Keys: { pk: { S: string } }; NewImage?: object; SequenceNumber: string };
};

interface JobsContext {
  readonly engine: EngineAddress;
  readonly functions: FunctionRegistry;
  /** Where the positions in the streams are kept; undefined if the data is in memory. */
  readonly file: string | undefined;
  readonly log: LogSink;
  readonly onRun: (run: ServedRequest) => void;
}

/** Reads the streams of jobs as Lambda does, and runs jobs on demand. What no job was given waits in the stream. */
export class Jobs {
  readonly #context: JobsContext;
  readonly #stop = new AbortController();
  /** By job and shard, the sequence numbers of the last records that were given to jobs. */
  readonly #positions: Record<string, string>;
  readonly #readers = new Map<string, Promise<void>>();
  #current: readonly JobModel[] = [];

  constructor(context: JobsContext) {
    const { file } = context;
    this.#context = context;
    this.#positions = file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  }

  replace(jobs: readonly JobModel[]): void {
    this.#current = jobs;
    for (const { label, stream } of jobs)
      if (stream && !this.#readers.has(label)) this.#readers.set(label, this.#keepReading(label));
  }

  async run(name: string, payload: string): Promise<PoolResult> {
    const startedAt = performance.now();
    const job = this.#current.find(({ functionName }) => functionName === name);
    const result = await this.#context.functions.invoke(job?.functionId ?? name, payload);
    if (job && result.kind !== "throttled")
      this.#context.onRun(shownRun(job.label, payload, result, startedAt));
    return result;
  }

  /** Waits a little for running jobs: what they do not end is repeated. */
  async close(): Promise<void> {
    this.#stop.abort();
    const ended = Promise.all(this.#readers.values());
    await Promise.race([ended, delay(CLOSE_GRACE_MS, undefined, { ref: false })]);
  }

  async #keepReading(label: string): Promise<void> {
    const find = () =>
      this.#current.find((each): each is StreamJob => each.label === label && each.stream !== undefined);
    for (let job = find(); job && !this.#stop.signal.aborted; job = find())
      await this.#readStream(job).catch((error) => {
        if (!this.#stop.signal.aborted)
          this.#context.log({ source: "jobs", text: `${label}: ${messageOf(error)}` });
        return this.#pause(ERROR_MS);
      });
    this.#readers.delete(label);
  }

  async #readStream(job: StreamJob): Promise<void> {
    const TableName = job.stream.EventSourceArn.replace(/^.*:table\/|\/stream\/.*$/g, "");
    let hasRecords = false;
    for (const { StreamArn } of (await this.#ask("ListStreams", { TableName })).Streams)
      for (const { ShardId } of (await this.#ask("DescribeStream", { StreamArn })).StreamDescription.Shards)
        hasRecords = (await this.#readShard(job, { StreamArn, ShardId })) || hasRecords;
    if (!hasRecords) await this.#pause(POLL_MS);
  }

  async #readShard(job: StreamJob, shard: { StreamArn: string; ShardId: string }): Promise<boolean> {
    const pattern = JSON.parse(job.stream.FilterCriteria.Filters[0]?.Pattern ?? "").dynamodb;
    const matches = ({ dynamodb: { Keys, NewImage } }: StreamRecord) =>
      pattern.Keys.pk.S.some((each: string | { prefix: string }) =>
        typeof each === "string" ? each === Keys.pk.S && NewImage : Keys.pk.S.startsWith(each.prefix),
      );
    const key = [job.label, ...Object.values(shard)].join(" ");
    const after = { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: this.#positions[key] };
    const iterator = await this.#ask("GetShardIterator", { ...shard, ...after }).catch(() =>
      // There is no position, or the run was stopped for more than a day.
      this.#ask("GetShardIterator", { ...shard, ShardIteratorType: "TRIM_HORIZON" }),
    );
    const { Records }: { Records: readonly StreamRecord[] } = await this.#ask("GetRecords", iterator);
    for (const record of Records) {
      if (this.#stop.signal.aborted) break;
      const isWanted = matches(record);
      if (isWanted) await this.#deliver(job, record);
      this.#positions[key] = record.dynamodb.SequenceNumber;
      // Records of others are skipped again after a kill: the last one is enough.
      if (this.#context.file && (isWanted || record === Records.at(-1)))
        writeFileAtomic(this.#context.file, JSON.stringify(this.#positions), 0o600);
    }
    return Records.length > 0;
  }

  /** Alone, not in a batch. @throws Error if the local run ends before it is handled, or has failed for good */
  async #deliver(job: StreamJob, record: StreamRecord, attempt = 0): Promise<void> {
    const { kind } = await this.run(job.functionName, JSON.stringify({ Records: [record] }));
    if (kind === "result") return;
    if (this.#stop.signal.aborted) throw new Error("The local run has ended");
    const text = `${job.label} has failed for good. Repeat it: npm run job -- ${job.label} --again --stage local`;
    if (attempt === job.stream.MaximumRetryAttempts) return this.#context.log({ source: "jobs", text });
    await this.#pause(FIRST_RETRY_MS * 2 ** attempt);
    await this.#deliver(job, record, attempt + 1);
  }

  // biome-ignore lint/suspicious/noExplicitAny: DynamoDB's responses
  #ask(operation: string, body: object): Promise<any> {
    return callDynamodb(this.#context.engine, streamsPrefix + operation, body);
  }

  #pause(milliseconds: number): Promise<void> {
    return delay(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
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

/** Invokes jobs. The names of their functions are the operations of this service. */
export function createLambda(run: Jobs["run"]): AwsService {
  return {
    targetPrefix: "Lambda.",
    permissions: (name) => [
      { action: "lambda:InvokeFunction", resource: localArn("lambda", `function:${name}`) },
    ],
    async handle(name, _, text) {
      const result = await run(name, text);
      if (result.kind === "result") return { statusCode: 200, headers: {}, body: result.payload };
      const reason = result.kind === "failure" ? result.reason : "The local run is stopping";
      const body = JSON.stringify({ errorMessage: reason.split("\n")[0] });
      return { statusCode: 200, headers: { "x-amz-function-error": "Unhandled" }, body };
    },
  };
}
