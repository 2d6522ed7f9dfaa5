import { join } from "node:path";
import { expect, inject, it, onTestFinished, vi } from "vitest";
import { transact } from "../../lib/dynamodb/writes.ts";
import { enqueue } from "../../lib/jobs/messages.ts";
import type { ServedRequest } from "../../local/api-gateway/gateway.ts";
import { callDynamodb } from "../../local/database/dynamodb-call.ts";
import { Jobs } from "../../local/jobs.ts";
import type { FunctionRegistry } from "../../local/lambda/function-registry.ts";
import { recordTable, testClient } from "../support/database/database.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const [engine = { name: "", endpoint: "" }] = inject("engines");

it("reads a stream from where it was, repeats what fails, and gives up what fails for good", async () => {
  const table = await recordTable(engine.endpoint);
  const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" };
  await callDynamodb(engine, "UpdateTable", { TableName: table, StreamSpecification });
  const send = (...names: string[]) =>
    transact(testClient(engine.endpoint), {
      messages: names.map((name) => enqueue(table, "tell", { name })),
    });
  const file = join(temporaryDirectory(onTestFinished), "jobs.json");
  const dynamodb = { Keys: { pk: { S: ["message#tell"] } }, NewImage: { pk: { S: [{ exists: true }] } } };
  const stream = {
    ...{ EventSourceArn: `arn:aws:dynamodb:::table/${table}`, MaximumRetryAttempts: 1 },
    FilterCriteria: { Filters: [{ Pattern: JSON.stringify({ dynamodb }) }] },
  };
  const start = (fails: (names: readonly string[]) => boolean) => {
    const [batches, runs, lines] = [[] as string[], [] as ServedRequest[], [] as string[]];
    const invoke = async (_: string, payload: string) => {
      const names = JSON.parse(payload).Records.map(
        ({ dynamodb }: { dynamodb: { NewImage: { body: { M: { name: { S: string } } } } } }) =>
          dynamodb.NewImage.body.M.name.S,
      );
      batches.push(names.join());
      return fails(names) ? { kind: "failure", reason: "broken" } : { kind: "result", payload: "null" };
    };
    const functions = { invoke } as unknown as FunctionRegistry;
    const jobs = new Jobs({
      ...{ engine, functions, file },
      log: ({ text }) => lines.push(text),
      onRun: (run) => runs.push(run),
    });
    jobs.replace([{ label: "notes/tell", functionId: "Tell", functionName: "tell", stream }]);
    onTestFinished(() => jobs.close());
    return { jobs, batches, runs, lines };
  };

  await send("a", "b", "c");
  const first = start((names) => names.includes("b"));
  await vi.waitUntil(() => first.lines.length > 0, { timeout: 600_000 });
  await vi.waitUntil(() => first.batches.includes("c"), { timeout: 600_000 });
  expect(first.batches.toSorted()).toEqual(["a", "b", "b", "c"]);
  expect(first.lines[0]).toContain("npm run job -- notes/tell --again --stage local");
  expect(first.runs[1]).toMatchObject({ method: "JOB", target: "notes/tell", statusCode: 500 });
  await first.jobs.close();

  await send("d");
  const second = start(() => false);
  await vi.waitUntil(() => second.batches.length > 0, { timeout: 600_000 });
  expect(second.batches.at(-1)).toBe("d");
  expect(second.runs.at(-1)?.statusCode).toBe(200);
});
