import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { fromRawItem, queryPages } from "../../../lib/dynamodb/query.ts";

const query = {
  TableName: "t",
  KeyConditionExpression: "pk = :pk",
  ExpressionAttributeValues: { ":pk": "a" },
};

it.each([
  [undefined, [undefined, undefined, undefined]],
  [3, [3, 12, 48]],
  [2 ** 30, [2 ** 30, 2 ** 31 - 1, 2 ** 31 - 1]],
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

it("an item in DynamoDB's JSON becomes JavaScript values", () => {
  const item = {
    text: { S: "" },
    number: { N: "-0.5" },
    big: { N: "9007199254740993" },
    no: { BOOL: false },
    list: { L: [{ N: "1" }, { NULL: true as const }] },
    map: { M: { yes: { BOOL: true } } },
  };
  const values = {
    text: "",
    number: -0.5,
    big: 9007199254740993n,
    no: false,
    list: [1, null],
    map: { yes: true },
  };

  expect(fromRawItem(item)).toEqual(values);
  // Which a record's schema refuses.
  expect(fromRawItem({ set: { SS: ["a"] } })).toEqual({ set: { SS: ["a"] } });
});
