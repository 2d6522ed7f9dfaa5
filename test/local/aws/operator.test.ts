import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOperator } from "../../../local/aws/operator.ts";
import { findRun, type RunFile } from "../../../local/run-file.ts";
import { codeBlocksOf } from "../../support/markdown.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { type FixtureRun, runFixture } from "../fixtures/run.ts";

const directory = temporaryDirectory(afterAll);
let run: FixtureRun;
let runFile: RunFile;
beforeAll(async () => {
  run = await runFixture({ dataDirectory: directory });
  const found = await findRun(directory);
  if (found === undefined) throw new Error("The run was not found");
  runFile = found;
});
afterAll(async () => {
  await run.close();
});

async function callDynamodb(operation: string, body: object, accessKeyId = runFile.accessKeyId) {
  const response = await fetch(runFile.endpoint, {
    method: "POST",
    headers: {
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request`,
    },
    body: JSON.stringify(body),
  });
  const members = (await response.json()) as { readonly __type?: string };
  return members.__type?.replace(/^.*#/, "") ?? "done";
}

describe("the operator of a run", () => {
  it("has the permissions that docs/operations.md documents for a deployment", () => {
    const [policy = ""] = codeBlocksOf("docs/operations.md", "json");
    const { Statement: documented } = JSON.parse(policy) as {
      Statement: { Effect: string; Action: string | string[]; Resource: string | string[] }[];
    };

    const [describeStack, ...others] = documented;
    // The local run has no CloudFormation: the run file names its resources.
    expect(describeStack?.Action).toEqual([
      "cloudformation:DescribeStacks",
      "cloudformation:ListStackResources",
    ]);
    const anywhere = (resource: string) => resource.replace(/^(arn:aws:\w+):[^:]*:[^:]*:/, "$1:*:*:");
    const local = createOperator("resource-api-prod").statements;
    expect(others).toMatchObject(
      local.map(({ effect, actions, resources }) => ({
        Effect: effect,
        Action: actions,
        Resource: resources.length === 1 ? resources.map(anywhere)[0] : resources.map(anywhere),
      })),
    );
  });

  it("reads and writes records, but can't change tables", async () => {
    const TableName = run.model().tables[0]?.request.TableName ?? "";
    const Item = { id: { S: "1" } };

    expect(await callDynamodb("PutItem", { TableName, Item })).toBe("done");
    expect(await callDynamodb("GetItem", { TableName, Key: Item })).toBe("done");
    for (const operation of ["DeleteTable", "UpdateTable", "CreateBackup"])
      expect(await callDynamodb(operation, { TableName })).toBe("AccessDeniedException");
    expect(await callDynamodb("PutItem", { TableName: "other", Item })).toBe("AccessDeniedException");
    expect(await callDynamodb("PutItem", { TableName, Item }, "ASIAOTHER")).toBe(
      "UnrecognizedClientException",
    );
  });
});
