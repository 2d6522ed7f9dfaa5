import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { mapConcurrently, queryPages } from "../../../lib/dynamodb/query.ts";

const query = {
  TableName: "t",
  KeyConditionExpression: "pk = :pk",
  ExpressionAttributeValues: { ":pk": "a" },
};

it.each([
  [undefined, [undefined, undefined, undefined]],
  [3, [3, 12, 48]],
  [Number.MAX_SAFE_INTEGER, [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1]],
])("a query with the limit %s grows it and keeps it a 32-bit integer", async (Limit, expected) => {
  const limits: (number | undefined)[] = [];
  const client = {
    async send({ input }: { input: QueryCommandInput }) {
      limits.push(input.Limit);
      return {
        Items: [],
        ...(limits.length < 3 && { LastEvaluatedKey: { pk: { S: "a" }, sk: { N: "1" } } }),
      };
    },
  };

  for await (const { items } of queryPages(client as unknown as DynamoDBDocumentClient, { ...query, Limit }))
    expect(items).toEqual([]);
  expect(limits).toEqual(expected);
});

it("reads are not begun after an error", async () => {
  const begun: number[] = [];
  const read = async (input: number) => {
    begun.push(input);
    if (input === 1) throw new Error("1");
    await new Promise(setImmediate);
  };
  await expect(mapConcurrently([...Array(100).keys()], read)).rejects.toThrow("1");
  await new Promise(setImmediate);
  await new Promise(setImmediate);

  expect(begun).toHaveLength(32);
});
