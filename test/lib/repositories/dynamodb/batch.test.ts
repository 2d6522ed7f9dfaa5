import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { batchGet } from "../../../../lib/repositories/dynamodb/batch.ts";
import { engines, fill, recordTable, testClient } from "../../../support/database.ts";
import { injectFaults } from "../../../support/faults.ts";

const keys = Array.from({ length: 230 }, (_, i) => ({ pk: "0", sk: i + 1 }));

/** Lets every batch answer only its first keys, as DynamoDB does when it runs out of throughput. */
function leaveOut(client: DynamoDBDocumentClient, table: string, answered: number): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const { RequestItems: { [table]: request } = {} } = args.input as {
        RequestItems?: Record<string, { Keys: object[] }>;
      };
      if (request === undefined) return next(args);
      const asked = { ...request, Keys: request.Keys.slice(0, answered) };
      const result = await next({ ...args, input: { ...args.input, RequestItems: { [table]: asked } } });
      const left = { [table]: { ...request, Keys: request.Keys.slice(answered) } };
      return { ...result, output: { ...result.output, UnprocessedKeys: left } };
    },
    { name: "leaveOut", step: "initialize", priority: "low" },
  );
}

describe.each(engines)("reading many on $name", ({ endpoint }) => {
  async function filled() {
    const client = testClient(endpoint);
    const table = await recordTable(endpoint);
    await fill(client, table, keys);
    return { client, table };
  }

  it("reads what exists, a hundred a call", async () => {
    const { client, table } = await filled();
    const attempted = injectFaults(client, () => undefined);
    const items = await batchGet(client, table, [...keys, { pk: "0", sk: 231 }]);

    expect(items).toHaveLength(230);
    expect(items).toEqual(expect.arrayContaining(keys));
    expect(attempted).toEqual(["BatchGetItem", "BatchGetItem", "BatchGetItem"]);
  });

  it("asks for nothing when nothing is wanted", async () => {
    const { client, table } = await filled();
    const attempted = injectFaults(client, () => undefined);

    expect(await batchGet(client, table, [])).toEqual([]);
    expect(attempted).toEqual([]);
  });

  it("reads what an answer has left out", async () => {
    const { client, table } = await filled();
    leaveOut(client, table, 60);

    expect(
      (await batchGet(client, table, keys)).map(({ sk }) => sk).sort((a, b) => Number(a) - Number(b)),
    ).toEqual(keys.map(({ sk }) => sk));
  });

  it("tells that it was throttled", async () => {
    const { client, table } = await filled();
    injectFaults(client, () => "throttled");

    await expect(batchGet(client, table, keys)).rejects.toMatchObject({ code: "ServiceUnavailable" });
  });
});
