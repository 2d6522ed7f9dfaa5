import type { Context, DynamoDBRecord } from "aws-lambda";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { getItem, queryAll, rangeQuery } from "../../../lib/dynamodb/query.ts";
import { changeJob, messageJob, scheduledJob } from "../../../lib/jobs/job.ts";
import { enqueue, messagePartition } from "../../../lib/jobs/messages.ts";
import { callDynamodb, streamsPrefix } from "../../../local/database/dynamodb-call.ts";
import { notesIn } from "../../support/data/notes.ts";
import { engines, onDefaultEngine, recordTable, testClient } from "../../support/database/database.ts";
import { type Fault, injectFaults } from "../../support/database/faults.ts";

/** A run of a function, whose process ends at the call that fails. */
function clientThat(endpoint: string, [operation, fault]: readonly [operation: string, fault: Fault]) {
  const client = testClient(endpoint);
  let hasEnded = false;
  injectFaults(client, (called) => {
    if (hasEnded) return "refused";
    hasEnded = called === operation;
    return hasEnded ? fault : undefined;
  });
  return client;
}

/** A table with a stream, which the returned function reads whole, as Lambda does again after a failure. */
async function streamedTable(endpoint: string) {
  const table = await recordTable(endpoint);
  // biome-ignore lint/suspicious/noExplicitAny: DynamoDB's responses
  const ask = (operation: string, body: object): Promise<any> => callDynamodb({ endpoint }, operation, body);
  const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" };
  await ask("UpdateTable", { TableName: table, StreamSpecification });
  vi.stubEnv("JOB_TABLE", table);
  vi.stubEnv("JOB", "notes/tell");
  const { Streams } = await ask(`${streamsPrefix}ListStreams`, { TableName: table });
  const [{ StreamArn }] = Streams;
  const read = async (matches: (record: DynamoDBRecord) => boolean): Promise<DynamoDBRecord[]> => {
    const { StreamDescription } = await ask(`${streamsPrefix}DescribeStream`, { StreamArn });
    const [{ ShardId }] = StreamDescription.Shards;
    const from = { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" };
    const iterator = await ask(`${streamsPrefix}GetShardIterator`, from);
    const { Records } = await ask(`${streamsPrefix}GetRecords`, iterator);
    return (Records as DynamoDBRecord[]).filter(matches);
  };
  return { table, read };
}

const context = (milliseconds = 30_000) =>
  ({ awsRequestId: "request", getRemainingTimeInMillis: () => milliseconds }) as Context;
const isMessage = ({ eventName, dynamodb }: DynamoDBRecord) =>
  eventName === "INSERT" && dynamodb?.Keys?.pk?.S === messagePartition("tell");
const isChange = ({ dynamodb }: DynamoDBRecord) => /^\d+$/.test(dynamodb?.Keys?.pk?.S ?? "");
const killed = new Error("The process was killed");

describe.each(engines)("jobs on $name", ({ endpoint }) => {
  const leftIn = (table: string) =>
    queryAll(testClient(endpoint), rangeQuery(table, messagePartition("tell")));
  const create = (client: ReturnType<typeof testClient>, table: string) => {
    const others = (id: number) => ({ message: enqueue(table, "tell", { note: id }) });
    return notesIn(client, table).create({ text: "a" }, undefined, { others });
  };

  // Its process ends: before or after the commit, while the job runs, before or after its message is deleted.
  type Call = [string, Fault];
  it.each<{ creation?: Call; job?: Call; work?: "before" | "after"; committed?: number }>([
    { creation: ["UpdateItem", "lost"], committed: 1 },
    { creation: ["TransactWriteItems", "refused"], committed: 1 },
    { creation: ["TransactWriteItems", "lost"] },
    { job: ["GetItem", "lost"] },
    { work: "before" },
    { work: "after" },
    { job: ["DeleteItem", "refused"] },
    { job: ["DeleteItem", "lost"] },
  ])("tell of each record that was committed, and of no other: killed at %o", async (step) => {
    const { creation, job, work, committed = 2 } = step;
    const { table, read } = await streamedTable(endpoint);
    const told: number[] = [];
    const run = async (client = testClient(endpoint), killedAt?: typeof work) => {
      const tell = messageJob(client, z.object({ note: z.int() }), async ({ note }) => {
        if (killedAt === "before") throw killed;
        told.push(note);
        if (killedAt === "after") throw killed;
      });
      return await tell({ Records: await read(isMessage) }, context());
    };
    const first = create(creation ? clientThat(endpoint, creation) : testClient(endpoint), table);
    await (creation ? first.catch(() => undefined) : first);
    if (job) await expect(run(clientThat(endpoint, job))).rejects.toThrow();
    if (work) await expect(run(undefined, work)).rejects.toThrow(killed);
    await create(testClient(endpoint), table);
    await run();
    const before = [...told];
    // Lambda repeats a batch of which all was handled.
    await run();
    expect(told).toEqual(before);

    const stored = await queryAll(testClient(endpoint), rangeQuery(table, "0"));
    expect([...new Set(told)].sort()).toEqual(stored.map(({ sk }) => sk));
    expect(stored).toHaveLength(committed);
    expect(await leftIn(table)).toEqual([]);
  });

  it.each(onDefaultEngine(["message", "change"]))("keep a failed %s until --again", async (kind) => {
    const { table, read } = await streamedTable(endpoint);
    const client = testClient(endpoint);
    const handle = vi.fn((_: unknown) => Promise.reject<unknown>(killed));
    const [job, isOwn, expected] =
      kind === "message"
        ? [messageJob(client, z.object({ note: z.int() }), handle), isMessage, { note: 1 }]
        : [changeJob(client, handle), isChange, { id: 1, after: { text: "a" } }];
    if (kind === "message") await create(client, table);
    else await notesIn(client, table).create({ text: "a" }, undefined);
    const Records = await read(isOwn);
    for (let attempt = 1; attempt <= 3; attempt += 1)
      await expect(job({ Records }, context())).rejects.toThrow(killed);
    expect(await leftIn(table)).toHaveLength(1);
    expect(await job({ again: true }, context())).toEqual({ handled: 0, failed: 1, isComplete: true });

    handle.mockReset().mockResolvedValue(undefined);
    expect(await job({ again: true }, context())).toEqual({ handled: 1, failed: 0, isComplete: true });
    expect(handle.mock.calls.map(([what]) => what)).toMatchObject([expected]);
    expect(await leftIn(table)).toEqual([]);
  });

  it.each(onDefaultEngine(["before and after"]))("get the record %s, and keep a slow change", async () => {
    const { table, read } = await streamedTable(endpoint);
    const client = testClient(endpoint);
    const notes = notesIn(client, table);
    await notes.create({ text: "a" }, undefined);
    await notes.update(1, { text: "b" });
    await notes.remove(1);
    const texts: string[] = [];
    const job = changeJob(client, async ({ before, after }) => texts.push(`${before?.text} ${after?.text}`));
    await job({ Records: await read(isChange) }, context());
    expect(texts).toEqual(["undefined a", "a b", "b undefined"]);

    const Records = (await read(isChange)).slice(0, 1);
    const slow = changeJob(client, () => new Promise(() => undefined));
    await expect(slow({ Records }, context(0))).rejects.toThrow("timeout");
    expect(await leftIn(table)).toMatchObject([{ change: { id: 1 } }]);
  });

  it.each(onDefaultEngine([0]))("stop --again after half of the time, and run by a schedule", async () => {
    const { table } = await streamedTable(endpoint);
    await create(testClient(endpoint), table);
    await create(testClient(endpoint), table);
    const times = [30_000, 29_000, 29_000, 14_000];
    const impatient = { ...context(), getRemainingTimeInMillis: () => times.shift() ?? 0 } as Context;
    const tell = messageJob(testClient(endpoint), z.object({ note: z.int() }), async () => undefined);
    expect(await tell({ again: true }, impatient)).toEqual({ handled: 1, failed: 0, isComplete: false });

    await scheduledJob(() => notesIn(testClient(endpoint), table).remove(1))({}, context());
    expect(await getItem(testClient(endpoint), table, { pk: "0", sk: 1 })).toBeUndefined();
  });
});
