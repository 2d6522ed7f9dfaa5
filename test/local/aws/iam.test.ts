import { describe, expect, it } from "vitest";
import { CredentialStore } from "../../../local/aws/credentials.ts";
import { requiredPermissions } from "../../../local/aws/dynamodb-permissions.ts";
import { denialMessage, evaluate, type Permission } from "../../../local/aws/iam.ts";
import type { PolicyStatement } from "../../../local/stack/model.ts";

const table = "arn:aws:dynamodb:us-east-1:000000000000:table/notes";

function allow(actions: readonly string[], resources: readonly string[]): PolicyStatement {
  return { effect: "Allow", actions, resources };
}

describe("the evaluation of statements", () => {
  it.each([
    ["dynamodb:GetItem", table, "allowed"],
    ["dynamodb:getitem", table, "allowed"],
    ["dynamodb:PutItem", table, "implicitly denied"],
    ["dynamodb:GetItem", `${table}2`, "implicitly denied"],
    ["dynamodb:GetItem", table.toUpperCase(), "implicitly denied"],
    ["dynamodb:BatchGetItem", `${table}/index/byText`, "allowed"],
    ["dynamodb:BatchGetItem", table, "implicitly denied"],
    ["dynamodb:Scan", table, "explicitly denied"],
  ])("%s on %s is %s", (action, resource, verdict) => {
    const statements: PolicyStatement[] = [
      allow(["dynamodb:GetItem", "dynamodb:Scan"], [table]),
      allow(["dynamodb:Batch*"], [`${table}/index/*`]),
      { effect: "Deny", actions: ["dynamodb:Scan"], resources: ["*:table/n?tes"] },
    ];
    expect(evaluate(statements, { action, resource })).toBe(verdict);
  });

  it("requires that all values of a condition's key match, and that there are some", () => {
    const conditions = [
      { key: "dynamodb:LeadingKeys" as const, patterns: ["accounts#*", "email#*"] },
      { key: "dynamodb:Attributes" as const, patterns: ["pk", "sk"] },
    ];
    const statements = [{ ...allow(["dynamodb:PutItem"], [table]), conditions }];
    const decide = (context?: Permission["context"]) =>
      evaluate(statements, { action: "dynamodb:PutItem", resource: table, ...(context && { context }) });
    const [leadingKeys, attributes] = [["accounts#1"], ["pk", "sk"]];
    const context = { "dynamodb:LeadingKeys": leadingKeys, "dynamodb:Attributes": attributes };

    expect(decide(context)).toBe("allowed");
    expect(decide({ ...context, "dynamodb:LeadingKeys": ["privileged"] })).toBe("implicitly denied");
    expect(decide({ ...context, "dynamodb:Attributes": ["pk", "role"] })).toBe("implicitly denied");
    expect(decide({ "dynamodb:LeadingKeys": leadingKeys })).toBe("implicitly denied");
    expect(decide()).toBe("implicitly denied");
  });

  it("decides on each request that a condition is about, and not only on the first", () => {
    const conditions = [{ key: "dynamodb:LeadingKeys" as const, patterns: ["accounts#*"] }];
    const statements = [{ ...allow(["dynamodb:PutItem"], [table]), conditions }];
    const principal = { logicalId: "Notes", name: "notes", roleName: "notes", statements };
    const store = new CredentialStore();
    const decide = (key: string) =>
      store.authorize(principal, [
        { action: "dynamodb:PutItem", resource: table, context: { "dynamodb:LeadingKeys": [key] } },
      ]);

    expect(decide("accounts#1")).toBeUndefined();
    expect(decide("privileged")).toContain("not authorized to perform: dynamodb:PutItem");
    expect(decide("accounts#2")).toBeUndefined();
  });

  it("has only * and ? as wildcards", () => {
    const permission = { action: "dynamodb:Scan", resource: table };
    expect(evaluate([allow(["dynamodb:.*"], ["*"])], permission)).toBe("implicitly denied");
  });

  it("says that a denial is explicit", () => {
    const permission = { action: "dynamodb:PutItem", resource: table };
    expect(denialMessage("arn", permission, "explicitly denied")).toMatch(/with an explicit deny in an .*$/);
  });
});

describe("the permissions of a DynamoDB request", () => {
  const prefix = "arn:aws:dynamodb:us-east-1:000000000000:table/";
  const parts = { Put: "a", Update: "b", Delete: "b", ConditionCheck: "c" };
  const TransactItems = Object.entries(parts).map(([kind, TableName]) => ({ [kind]: { TableName } }));
  it.each([
    ["GetItem", { TableName: "notes" }, ["GetItem notes"]],
    ["PutItem", { TableName: table }, ["PutItem notes"]],
    ["Query", { TableName: "notes" }, ["Query notes"]],
    ["Query", { TableName: "notes", IndexName: "byText" }, ["Query notes/index/byText"]],
    ["Scan", { TableName: "notes", IndexName: "byText" }, ["Scan notes/index/byText"]],
    ["BatchGetItem", { RequestItems: { a: {}, b: {} } }, ["BatchGetItem a", "BatchGetItem b"]],
    ["BatchWriteItem", { RequestItems: { a: [] } }, ["BatchWriteItem a"]],
    ["TransactGetItems", { TransactItems: [{ Get: { TableName: "a" } }] }, ["GetItem a"]],
    [
      "TransactWriteItems",
      { TransactItems },
      ["PutItem a", "UpdateItem b", "DeleteItem b", "ConditionCheckItem c"],
    ],
  ])("%s %j", (operation, body, expected) => {
    const needed = requiredPermissions(operation, body);
    expect(needed.map(({ action, resource }) => `${action} ${resource}`)).toEqual(
      expected.map((text) => `dynamodb:${text.replace(" ", ` ${prefix}`)}`),
    );
  });

  it.each([
    ["PutItem", (put: object) => put],
    ["TransactWriteItems", (put: object) => ({ TransactItems: [{ Put: put }] })],
  ])("have the key and the attributes of a put, for conditions: %s", (operation, request) => {
    const put = {
      TableName: "a",
      Item: { pk: { S: "accounts#1" }, username: { S: "ada" } },
      ConditionExpression: "attribute_not_exists(pk) OR #role = :role AND expires_at <= :now",
      ExpressionAttributeNames: { "#role": "role" },
    };
    const [needed] = requiredPermissions(operation, request(put));
    expect(needed?.context).toEqual({
      "dynamodb:LeadingKeys": ["accounts#1"],
      "dynamodb:Attributes": ["pk", "username", "expires_at", "role"],
    });
  });

  const specific = { "dynamodb:Select": ["SPECIFIC_ATTRIBUTES"] };
  it.each([
    [
      "GetItem",
      { Key: { pk: { S: "a" }, sk: { N: "1" } } },
      { keys: ["a"], attributes: ["pk", "sk"], "dynamodb:Select": ["ALL_ATTRIBUTES"] },
    ],
    [
      "GetItem",
      {
        Key: { pk: { S: "a" } },
        ProjectionExpression: "email, #r",
        ExpressionAttributeNames: { "#r": "role" },
      },
      { keys: ["a"], attributes: ["pk", "email", "role"], ...specific },
    ],
    [
      "BatchGetItem",
      { RequestItems: { a: { Keys: [{ pk: { S: "a" } }, { pk: { N: "2" } }], ProjectionExpression: "sk" } } },
      { keys: ["a", "2"], attributes: ["pk", "sk"], ...specific },
    ],
    [
      "Query",
      {
        KeyConditionExpression: "pk = :pk AND sk > :after",
        ExpressionAttributeValues: { ":pk": { S: "privileged" }, ":after": { S: "x" } },
        ProjectionExpression: "sk",
      },
      { keys: ["privileged"], attributes: ["pk", "sk"], ...specific },
    ],
    [
      "UpdateItem",
      {
        Key: { pk: { S: "a" } },
        UpdateExpression: "SET seen = if_not_exists(seen, :none), #h = :hash ADD failures :one REMOVE old",
        ConditionExpression: "attribute_exists(email) AND failures = :seen",
        ExpressionAttributeNames: { "#h": "passwordHash" },
      },
      { keys: ["a"], attributes: ["pk", "email", "failures", "seen", "old", "passwordHash"] },
    ],
  ])("have what conditions are about: %s %j", (operation, body, { keys, attributes, ...select }) => {
    const [needed] = requiredPermissions(operation, { TableName: "a", ...body });
    expect(needed?.context).toEqual({
      "dynamodb:LeadingKeys": keys,
      "dynamodb:Attributes": expect.arrayContaining(attributes),
      ...select,
    });
    expect(needed?.context?.["dynamodb:Attributes"]).toHaveLength(attributes.length);
  });
});
