import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from "@aws-sdk/client-cloudformation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOperator } from "../../../local/aws/operator.ts";
import { findRun } from "../../../local/run-file.ts";
import { type FixtureRun, runFixture } from "../fixtures/run.ts";

const directory = mkdtempSync(join(tmpdir(), "operator-test-"));
let run: FixtureRun;
let reach: NonNullable<Awaited<ReturnType<typeof findRun>>>;
beforeAll(async () => {
  run = await runFixture({ dataDirectory: directory });
  const found = await findRun(directory);
  if (found === undefined) throw new Error("The run can't be found");
  reach = found;
});
afterAll(async () => {
  await run.close();
  rmSync(directory, { recursive: true });
});

function cloudFormation(accessKeyId = reach.accessKeyId) {
  const { endpoint, region, secretAccessKey } = reach;
  return new CloudFormationClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
}

async function callDynamodb(operation: string, body: object) {
  const response = await fetch(reach.endpoint, {
    method: "POST",
    headers: {
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      authorization: `AWS4-HMAC-SHA256 Credential=${reach.accessKeyId}/20260101/us-east-1/dynamodb/aws4_request`,
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { readonly __type?: string };
  return answer.__type?.replace(/^.*#/, "") ?? "done";
}

describe("the operator of a run", () => {
  it("has the permissions that docs/operations.md gives for a deployment", () => {
    const [, policy = ""] = /```json\n(.*?)```/s.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
    const { Statement: documented } = JSON.parse(policy) as {
      Statement: { Effect: string; Action: string | string[]; Resource: string | string[] }[];
    };

    const local = createOperator("resource-api-prod").statements;
    expect(documented.map(({ Effect, Action }) => [Effect, [Action].flat()])).toEqual(
      local.map(({ effect, actions }) => [effect, actions]),
    );
    // Any region and account there, those of the local run here; and here the stacks that there are not can be
    // asked for, to be told so.
    const anywhere = (resource: string) => resource.replace(/^(arn:aws:\w+):[^:]*:[^:]*:/, "$1:*:*:");
    expect(documented.slice(1).map(({ Resource }) => [Resource].flat())).toEqual(
      local.slice(1).map(({ resources }) => resources.map(anywhere)),
    );
  });

  it("finds it by its data directory, as long as it lasts", async () => {
    expect(statSync(join(directory, "run.json")).mode & 0o777).toBe(0o600);
    const elsewhere = mkdtempSync(join(tmpdir(), "operator-test-"));
    const other = await runFixture({ dataDirectory: elsewhere });
    expect(await findRun(elsewhere)).toMatchObject({ stackName: "fixture-dev", region: "us-east-1" });
    await other.close();
    expect(await findRun(elsewhere)).toBeUndefined();
    expect(existsSync(join(elsewhere, "run.json"))).toBe(false);
    rmSync(elsewhere, { recursive: true });
  });

  it("does not take what a killed run has left for a run", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "operator-test-"));
    writeFileSync(join(elsewhere, "run.json"), readFileSync(join(directory, "run.json")));

    expect(await findRun(elsewhere)).toBeUndefined();
    expect(await findRun(join(elsewhere, "none"))).toBeUndefined();
    rmSync(elsewhere, { recursive: true });
  });

  it("lists the stack's resources under the names that they have here", async () => {
    const { StackResourceSummaries: resources } = await cloudFormation().send(
      new ListStackResourcesCommand({ StackName: "fixture-dev" }),
    );
    const [table] = run.model().tables;

    expect(resources).toHaveLength(run.model().resources.length);
    expect(resources).toContainEqual(
      expect.objectContaining({
        LogicalResourceId: table?.logicalId,
        PhysicalResourceId: table?.request.TableName,
        ResourceType: "AWS::DynamoDB::Table",
      }),
    );
  });

  it.each([
    ["of another stack", new ListStackResourcesCommand({ StackName: "other" }), "ValidationError"],
    ["in another way", new DescribeStacksCommand({ StackName: "fixture-dev" }), "AccessDeniedException"],
  ])("lists none %s", async (_, command, name) => {
    await expect(cloudFormation().send(command as ListStackResourcesCommand)).rejects.toMatchObject({ name });
  });

  it("is nobody with other credentials", async () => {
    await expect(
      cloudFormation("ASIAOTHER").send(new ListStackResourcesCommand({ StackName: "fixture-dev" })),
    ).rejects.toMatchObject({ name: "UnrecognizedClientException" });
  });

  it("reads and writes records, and can do nothing to tables", async () => {
    const TableName = run.model().tables[0]?.request.TableName ?? "";
    const Item = { id: { S: "1" } };

    expect(await callDynamodb("PutItem", { TableName, Item })).toBe("done");
    expect(await callDynamodb("GetItem", { TableName, Key: Item })).toBe("done");
    for (const operation of ["DeleteTable", "UpdateTable", "Scan"])
      expect(await callDynamodb(operation, { TableName })).toBe("AccessDeniedException");
    expect(await callDynamodb("PutItem", { TableName: "other", Item })).toBe("AccessDeniedException");
  });
});
