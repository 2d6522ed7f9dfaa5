import { describe, expect, it } from "vitest";
import { allOf, itemExists, unchanged, updateOf } from "../../../../lib/repositories/dynamodb/expressions.ts";

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
      ExpressionAttributeValues: { ":a": 1 },
    });
  });

  it("set the defined values and remove attributes", () => {
    expect(updateOf({ title: "b", completed: undefined, due_date: null }, itemExists, ["w0"])).toEqual({
      ConditionExpression: "attribute_exists(pk)",
      UpdateExpression: "SET #new0 = :new0, #new1 = :new1 REMOVE #removed0",
      ExpressionAttributeNames: { "#new0": "title", "#new1": "due_date", "#removed0": "w0" },
      ExpressionAttributeValues: { ":new0": "b", ":new1": null },
    });
  });

  it("have no empty maps of names or values, which DynamoDB refuses", () => {
    expect(allOf(itemExists, itemExists)).not.toHaveProperty("ExpressionAttributeValues");
    expect(updateOf({}, itemExists, ["w0"])).not.toHaveProperty("ExpressionAttributeValues");
  });
});
