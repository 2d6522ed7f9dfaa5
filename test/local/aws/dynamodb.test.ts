import { afterAll, describe, expect, it } from "vitest";
import type { ServedRequest } from "../../../local/api-gateway/gateway.ts";
import { callDynamodb } from "../../../local/database/dynamodb-call.ts";
import { createMissingTables } from "../../../local/database/tables.ts";
import { findUnusedGrants } from "../../support/infra/unused-grants.ts";
import { runFixture } from "../fixtures/run.ts";

const served: ServedRequest[] = [];
const run = await runFixture({ onResponse: (request) => served.push(request) });
afterAll(() => run.close());

function notesFunction() {
  const model = run.model().functions.find(({ label }) => label === "NotesFunction");
  if (model === undefined) throw new Error("The fixture has no NotesFunction.");
  return model;
}

const note = (method: string, id: string, body?: string) =>
  fetch(`${run.url}/notes/${id}`, { method, ...(body === undefined ? {} : { body }) });

const signed = {
  authorization: "AWS4-HMAC-SHA256 Credential=UNKNOWN/20260101/us-east-1/dynamodb/aws4_request",
};

describe("DynamoDB, called by a function,", () => {
  it("counts the capacity units of each request", async () => {
    served.length = 0;
    await note("PUT", "counted", "x".repeat(1_500));
    await note("GET", "counted");
    expect(served.map(({ capacityUnits }) => capacityUnits)).toEqual([2, 1]);
  });

  it("refuses what the role does not allow with AWS's message, and logs it", async () => {
    const model = notesFunction();
    const table = model.environment.NOTES_TABLE;
    const response = await note("DELETE", "any");
    const message =
      `User: arn:aws:sts::000000000000:assumed-role/${model.roleName}/${model.name} is not authorized to perform: ` +
      `dynamodb:DeleteItem on resource: arn:aws:dynamodb:us-east-1:000000000000:table/${table} ` +
      "because no identity-based policy allows the dynamodb:DeleteItem action";
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      __type: "com.amazon.coral.service#AccessDeniedException",
      Message: message,
    });
    expect(run.lines).toContainEqual({ source: "iam", text: message });
  });

  it("records which grants were used", async () => {
    await Promise.all([note("PUT", "used", "x"), note("GET", "used")]);
    const { logicalId, statements, environment } = notesFunction();
    const unused = findUnusedGrants(statements, run.credentials.usedPermissions(logicalId), "dynamodb");
    expect(unused.map(({ action }) => action)).toEqual(["dynamodb:UpdateItem"]);
    expect(unused[0]?.resource).toMatch(new RegExp(`/${environment.NOTES_TABLE}$`));
  });

  it("refuses unknown credentials, invalid JSON and other services", async () => {
    const variables = (await (await fetch(`${run.url}/probe/variables`)).json()) as Record<string, string>;
    const url = variables.AWS_ENDPOINT_URL_DYNAMODB ?? "";
    const target = { "x-amz-target": "DynamoDB_20120810.ListTables" };
    const expectRefusal = async (headers: Record<string, string>, body: string, type: RegExp) => {
      const response = await fetch(url, { method: "POST", headers: { ...target, ...headers }, body });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ __type: expect.stringMatching(type) });
    };
    const own = { authorization: signed.authorization.replace("UNKNOWN", variables.AWS_ACCESS_KEY_ID ?? "") };
    await expectRefusal(signed, "{}", /UnrecognizedClient/);
    await expectRefusal(own, "{", /Serialization/);
    await expectRefusal({ ...own, "x-amz-target": "Kinesis_20131202.PutRecord" }, "{}", /UnknownOperation/);
  });
});

describe("the tables", () => {
  it("are created once, with their time to live", async () => {
    expect(await createMissingTables(run.engine, run.model().tables)).toBe(0);
    const TableName = run.model().tables[0]?.request.TableName ?? "";
    expect(await callDynamodb(run.engine, "DescribeTimeToLive", { TableName })).toMatchObject({
      TimeToLiveDescription: { AttributeName: "expires", TimeToLiveStatus: "ENABLED" },
    });
  });

  it("must have the declared keys", async () => {
    const [table] = run.model().tables;
    if (table === undefined) throw new Error("The fixture has no table.");
    const request = { ...table.request, KeySchema: [{ AttributeName: "other", KeyType: "HASH" }] };
    await expect(createMissingTables(run.engine, [{ ...table, request }])).rejects.toThrow(
      `The table ${request.TableName} or one of its indexes exists with other keys than the stack declares.`,
    );
  });

  it("get indexes that are added to existing records, lose removed ones, and must not change one's keys", async () => {
    const TableName = "resource-api-dev-Indexed";
    const withIndexes = (...names: readonly string[]) => {
      const attributes = ["pk", ...new Set(names.map((name) => name.replace(/^by-/, "")))];
      const request = {
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
        AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
        GlobalSecondaryIndexes: names.map((IndexName) => ({
          IndexName,
          KeySchema: [{ AttributeName: IndexName.replace(/^by-/, ""), KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
        })),
      };
      return { label: "Indexed", request, timeToLive: { AttributeName: "expires", Enabled: true } };
    };
    const keysBy = async (name: string) => {
      const { Items } = await callDynamodb(run.engine, "Query", {
        TableName,
        IndexName: `by-${name}`,
        KeyConditionExpression: "#name = :name",
        ExpressionAttributeNames: { "#name": name },
        ExpressionAttributeValues: { ":name": { S: "ada" } },
      });
      return (Items as { pk: { S: string } }[]).map(({ pk }) => pk.S);
    };

    expect(await createMissingTables(run.engine, [withIndexes("by-owner")])).toBe(1);
    const Item = { pk: { S: "a" }, owner: { S: "ada" }, editor: { S: "ada" }, reader: { S: "ada" } };
    await callDynamodb(run.engine, "PutItem", { TableName, Item });
    expect(await createMissingTables(run.engine, [withIndexes("by-editor", "by-reader")])).toBe(0);
    expect([await keysBy("editor"), await keysBy("reader")]).toEqual([["a"], ["a"]]);
    await expect(keysBy("owner")).rejects.toThrow(/index/);

    const changed = withIndexes("by-editor", "by-reader");
    Object.assign(changed.request.GlobalSecondaryIndexes[0]?.KeySchema[0] ?? {}, { AttributeName: "owner" });
    await expect(createMissingTables(run.engine, [changed])).rejects.toThrow("Give the index another name");
  });
});
