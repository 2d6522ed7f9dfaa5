import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { batchGet } from "../../../lib/dynamodb/batch.ts";
import type { StoredItem } from "../../../lib/dynamodb/query.ts";
import { engines, fill, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";
import { meter } from "../../support/programs/usage.ts";

const keys = Array.from({ length: 230 }, (_, i) => ({ pk: "0", sk: i + 1 }));
const sorted = (items: StoredItem[]) => items.sort((a, b) => Number(a.sk) - Number(b.sk));

/** Lets every batch process only its first keys, as DynamoDB does when it is throttled. */
function leaveUnprocessed(client: DynamoDBDocumentClient, table: string, processed: number): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as { RequestItems?: Record<string, { Keys: object[] }> };
      const request = input.RequestItems?.[table];
      if (request === undefined) return next(args);
      const asked = { ...request, Keys: request.Keys.slice(0, processed) };
      const result = await next({ ...args, input: { ...input, RequestItems: { [table]: asked } } });
      const left = { [table]: { ...request, Keys: request.Keys.slice(processed) } };
      return { ...result, output: { ...result.output, UnprocessedKeys: left } };
    },
    { name: "leaveUnprocessed", step: "initialize", priority: "low" },
  );
}

describe.each(engines)("reading a batch on $name", ({ endpoint }) => {
  async function filled() {
    const client = testClient(endpoint);
    const table = await recordTable(endpoint);
    await fill(client, table, keys);
    return { client, table };
  }

  it("reads the items that exist, a hundred per call", async () => {
    const { client, table } = await filled();
    const attempted = injectFaults(client, () => undefined);
    expect(sorted(await batchGet(client, table, [...keys, { pk: "0", sk: 231 }]))).toEqual(keys);
    expect(await batchGet(client, table, [])).toEqual([]);
    expect(attempted).toEqual(["BatchGetItem", "BatchGetItem", "BatchGetItem"]);
  });

  it("is strongly consistent, or eventually consistent at half the price", async () => {
    const { client, table } = await filled();
    const usageOf = meter(client);
    const read = (options: object) => usageOf(() => batchGet(client, table, keys.slice(0, 26), options));
    expect(await read({})).toMatchObject({ units: 26 });
    expect(await read({ isConsistent: false })).toMatchObject({ units: 13 });
  });

  it("reads unprocessed keys", async () => {
    const { client, table } = await filled();
    leaveUnprocessed(client, table, 60);
    expect(sorted(await batchGet(client, table, keys))).toEqual(keys);
  });
});
