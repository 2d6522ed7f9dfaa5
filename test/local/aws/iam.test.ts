import { describe, expect, it } from "vitest";
import { requiredPermissions } from "../../../local/aws/dynamodb-permissions.ts";
import { denialMessage, evaluate, findUnusedGrants, type Permission } from "../../../local/aws/iam.ts";
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

  it("has only * and ? as wildcards", () => {
    expect(evaluate([allow(["dynamodb:.*"], ["*"])], { action: "dynamodb:Scan", resource: table })).toBe(
      "implicitly denied",
    );
  });

  it("explains denials with AWS's message", () => {
    const principal = "arn:aws:sts::000000000000:assumed-role/role/function";
    const permission = { action: "dynamodb:PutItem", resource: table };
    expect(denialMessage(principal, permission, "implicitly denied")).toBe(
      `User: ${principal} is not authorized to perform: dynamodb:PutItem on resource: ${table} ` +
        "because no identity-based policy allows the dynamodb:PutItem action",
    );
    expect(denialMessage(principal, permission, "explicitly denied")).toMatch(
      /with an explicit deny in an identity-based policy$/,
    );
  });
});

it("finds unused grants by action and resource", () => {
  const statements = [
    allow(["dynamodb:GetItem", "dynamodb:Query"], [table, `${table}/index/*`]),
    allow(["logs:PutLogEvents"], ["*"]),
  ];
  const used = [
    { action: "dynamodb:GetItem", resource: table },
    { action: "dynamodb:Query", resource: `${table}/index/byText` },
  ];
  expect(findUnusedGrants(statements, used, "dynamodb")).toEqual([
    { action: "dynamodb:GetItem", resource: `${table}/index/*` },
    { action: "dynamodb:Query", resource: table },
  ]);
});

describe("the permissions of a DynamoDB request", () => {
  const prefix = "arn:aws:dynamodb:us-east-1:000000000000:table/";
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
      {
        TransactItems: [
          { Put: { TableName: "a" } },
          { Put: { TableName: "a" } },
          { Update: { TableName: "b" } },
          { Delete: { TableName: "b" } },
          { ConditionCheck: { TableName: "c" } },
        ],
      },
      ["PutItem a", "UpdateItem b", "DeleteItem b", "ConditionCheckItem c"],
    ],
  ])("%s %j", (operation, body, expected) => {
    const needed = requiredPermissions(operation, body, prefix);
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
    const [needed] = requiredPermissions(operation, request(put), prefix);
    expect(needed?.context).toEqual({
      "dynamodb:LeadingKeys": ["accounts#1"],
      "dynamodb:Attributes": ["pk", "username", "pk", "expires_at", "role"],
    });
  });

  it("apply to all resources for an operation without a table", () => {
    expect(requiredPermissions("ListTables", {}, prefix)).toEqual([
      { action: "dynamodb:ListTables", resource: "*" },
    ]);
  });
});
