import { describe, expect, it } from "vitest";
import { allOf, itemExists, unchanged } from "../../../lib/dynamodb/expressions.ts";

describe("expressions", () => {
  it("require attributes to be as they were read, and missing ones to be missing", () => {
    expect(unchanged({ pk: "0", sk: 1, title: "a", due_date: undefined })).toEqual({
      ConditionExpression: "#seen0 = :seen0 AND attribute_not_exists(#seen1)",
      ExpressionAttributeNames: { "#seen0": "title", "#seen1": "due_date" },
      ExpressionAttributeValues: { ":seen0": "a" },
    });
  });

  it("combine conditions that contain OR", () => {
    const either = { ConditionExpression: "a = :a OR b = :a", ExpressionAttributeValues: { ":a": 1 } };
    expect(allOf(itemExists, either)).toEqual({
      ConditionExpression: "(attribute_exists(pk)) AND (a = :a OR b = :a)",
      ExpressionAttributeNames: {},
      ExpressionAttributeValues: { ":a": 1 },
    });
  });
});
