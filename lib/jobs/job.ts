import { once } from "node:events";
import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import * as z from "zod/mini";
import { fromRawItem, type RawItem, toRawItem } from "../dynamodb/attribute-values.ts";
import { getItem, queryPages, rangeQuery, type StoredItem } from "../dynamodb/query.ts";
import { logRequest } from "../log/log.ts";
import { setting } from "../settings.ts";
import { expiry, messagePartition } from "./messages.ts";

/** How long before its time-out a function gives up, to keep the change that it could not handle. */
const MARGIN_MS = 1_000;

/** A record as it was stored before and after a change, if it existed: `decode` of its repository reads it. */
export type Change = Readonly<{ id: number; before?: StoredItem; after?: StoredItem }>;

/** What `--again` of `npm run job` has handled, and whether it came to the end. */
export type AgainResult = Readonly<{ handled: number; failed: number; isComplete: boolean }>;

type Streamed = NonNullable<DynamoDBRecord["dynamodb"]>;
type Work<T> = (subject: T, signal: AbortSignal) => Promise<unknown>;

/**
 * A job that gets each message of `enqueue` at least once, in no order: repeating `handle` must be harmless.
 * @param handle the signal is aborted a second before the function's time-out; it has failed then
 */
export function messageJob<S extends z.ZodMiniType>(
  client: DynamoDBClient,
  schema: S,
  handle: Work<z.output<S>>,
) {
  // Absent if an earlier attempt has handled it, in a batch of which another message failed.
  const find = ({ Keys }: Streamed) => getItem(client, setting("JOB_TABLE"), imageOf(Keys) ?? {});
  return streamJob(client, find, ({ body }, signal) => handle(z.parse(schema, body), signal));
}

/** As `messageJob`, for changes, those of a record in their order. A change with which it fails is kept. */
export function changeJob(client: DynamoDBClient, handle: Work<Change>) {
  const find = async ({ Keys, OldImage, NewImage, SequenceNumber = "" }: Streamed) => ({
    pk: partition(),
    // DynamoDB's numbers have 38 digits.
    sk: BigInt(SequenceNumber.slice(-38)),
    change: { id: Number(Keys?.sk?.N), before: imageOf(OldImage), after: imageOf(NewImage) },
  });
  return streamJob(client, find, ({ change }, signal) => handle(change as Change, signal));
}

/** A job that a schedule starts: repeating `handle` must be harmless. */
export function scheduledJob(handle: (signal: AbortSignal) => Promise<unknown>) {
  return (_: unknown, context: Context) => logged(context, handle);
}

function streamJob(
  client: DynamoDBClient,
  find: (streamed: Streamed) => Promise<StoredItem | undefined>,
  work: Work<StoredItem>,
) {
  async function perform(item: StoredItem, context: Context): Promise<void> {
    const TableName = setting("JOB_TABLE");
    await logged(context, (signal) => work(item, signal)).catch(async (error) => {
      const Item = toRawItem({ ...item, ...expiry() });
      if ("change" in item) await client.send(new PutItemCommand({ TableName, Item }));
      throw error;
    });
    const Key = toRawItem({ pk: item.pk, sk: item.sk });
    await client.send(new DeleteItemCommand({ TableName, Key }));
  }

  /** Performs what is left in the partition, for half of the function's time. */
  async function performLeft(context: Context): Promise<AgainResult> {
    const enoughMs = context.getRemainingTimeInMillis() / 2;
    const counts = { handled: 0, failed: 0 };
    for await (const { items } of queryPages(client, rangeQuery(setting("JOB_TABLE"), partition())))
      for (const item of items) {
        if (context.getRemainingTimeInMillis() < enoughMs) return { ...counts, isComplete: false };
        const performed = perform(item, context).then(() => "handled" as const);
        counts[await performed.catch(() => "failed" as const)] += 1;
      }
    return { ...counts, isComplete: true };
  }

  return async (event: DynamoDBStreamEvent | { readonly again: true }, context: Context) => {
    if ("again" in event) return await performLeft(context);
    // Lambda divides a batch that failed, until only what fails is repeated.
    for (const { dynamodb = {} } of event.Records) {
      const item = await find(dynamodb);
      if (item) await perform(item, context);
    }
    return undefined;
  };
}

function imageOf(image: Streamed["NewImage"]): StoredItem | undefined {
  return image && fromRawItem(image as RawItem);
}

function partition(): string {
  return messagePartition(setting("JOB").replace(/^.*\//, ""));
}

/** Logs and measures the work as a request whose route is the job. */
async function logged(context: Context, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - MARGIN_MS));
  const timedOut = once(signal, "abort").then(() => signal.throwIfAborted());
  const working = Promise.race([work(signal), timedOut]);
  const [status, error] = await working.then(() => [200] as const).catch((error) => [500, error] as const);
  const request = { requestId: context.awsRequestId, route: setting("JOB"), status, headers: {} };
  logRequest(context, { ...request, milliseconds: performance.now() - startedAt }, error);
  if (status === 500) throw error;
}
