import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { tableNames } from "../../functions/definitions.ts";
import { inUseOutput, SERVICE_NAME, tableConstructId } from "../../lib/construct-ids.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runProgram } from "../support/programs/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const limits = { MaxReadRequestUnits: 4_000, MaxWriteRequestUnits: 1_000 };
const own = (area: string) => `${SERVICE_NAME}-dev-${area}-1A2B`;
const restored = (area: string) => `${SERVICE_NAME}-dev-${area}-20261121093000`;
/** Another table, which the stage has replaced before. */
const replaced = tableNames.filter((name) => name !== "accounts" && name !== "users").slice(0, 1);
const setting = [
  `accounts:${restored("accounts")}`,
  `users:${restored("users")}`,
  ...replaced.map((name) => `${name}:old-${name}`),
].sort();

/** A DynamoDB that knows the tables of a stage: what a restore copies from its source, and what it does not. */
let calls: { operation: string; input: Readonly<Record<string, unknown>> }[];
let tables: Map<string, number>;
let directory: string;
beforeEach(() => {
  calls = [];
  tables = new Map(Object.entries({ [own("Users")]: 5, [own("Accounts")]: 3 }));
  directory = temporaryDirectory(onTestFinished);
  writeFileSync(join(directory, "npm"), '#!/bin/sh\necho "$@" >> calls\n', { mode: 0o755 });
});

function answer(operation: string, input: Readonly<Record<string, string>>): object {
  const name = input.TableName ?? "";
  const find = (table: string) => {
    const items = tables.get(table);
    if (items === undefined)
      throw Object.assign(new Error("no table"), { name: "ResourceNotFoundException" });
    return items;
  };
  if (/^(Restore|Update|Tag)/.test(operation)) calls.push({ operation, input });
  switch (operation) {
    case "RestoreTableToPointInTime": {
      const target = input.TargetTableName ?? "";
      if (tables.has(target))
        throw Object.assign(new Error("exists"), { name: "TableAlreadyExistsException" });
      tables.set(target, find(input.SourceTableName ?? "") - 1);
      return {};
    }
    case "DescribeTable":
      find(name);
      return {
        Table: {
          ...{ TableStatus: "ACTIVE", TableArn: name, OnDemandThroughput: limits },
          DeletionProtectionEnabled: name.endsWith("1A2B"),
          ...(name.includes("sers") && {
            GlobalSecondaryIndexes: [{ IndexName: "by-user", OnDemandThroughput: limits }],
          }),
        },
      };
    case "DescribeTimeToLive":
      return { TimeToLiveDescription: name.endsWith("1A2B") ? { AttributeName: "expires_at" } : {} };
    case "ListTagsOfResource":
      return {
        Tags: [
          { Key: "stage", Value: "dev" },
          { Key: "aws:cloudformation:x", Value: "1" },
        ],
      };
    case "Scan":
      return { Count: find(name), ScannedCount: find(name) };
    default:
      return {};
  }
}

async function restore(args: readonly string[], inUse: Readonly<Record<string, string>> = {}) {
  const pages = [
    [
      ["AWS::DynamoDB::Table", "UsersTable12AB34CD", own("Users")],
      ["AWS::DynamoDB::Table", "AccountsTable12AB34CD", own("Accounts")],
    ],
  ] as const;
  const outputs = {
    ...Object.fromEntries(replaced.map((name) => [inUseOutput(tableConstructId(name)), `old-${name}`])),
    ...inUse,
  };
  const aws = await startCloudFormation(`${SERVICE_NAME}-dev`, pages, outputs, { answer });
  const environment = { PATH: `${directory}:${process.env.PATH}`, ...aws.environment };
  const words = ["--stage", "dev", "--to", "2026-11-21T09:30:00Z", "--areas", "users,accounts", ...args];
  try {
    return await runProgram("ops/restore.ts", words, { environment, directory });
  } finally {
    await aws.close();
  }
}

it("restores tables beside those in use, completes them, and deploys the stage with them", async () => {
  expect((await restore(["--dry-run", "--switch"])).output).toMatch(`Would deploy the setting tables=`);
  expect(calls).toEqual([]);

  expect(await restore([])).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /^users +4 items at 2026-11-21T09:30:00Z, 5 now\naccounts +2 items .*, 3 now\ntables=.*\n$/,
    ),
    errors: expect.stringMatching(/Nothing uses them yet: repeat the command with --switch\.\n$/),
  });
  const ofUsers = calls.filter(({ input }) => Object.values(input).includes(restored("users")));
  expect(ofUsers).toMatchObject([
    {
      operation: "RestoreTableToPointInTime",
      input: { SourceTableName: own("Users"), OnDemandThroughputOverride: limits },
    },
    { input: { TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true } } },
    { operation: "TagResource", input: { Tags: [{ Key: "stage", Value: "dev" }] } },
    { input: { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } } },
    { input: { DeletionProtectionEnabled: true } },
    {
      input: {
        GlobalSecondaryIndexUpdates: [{ Update: { IndexName: "by-user", OnDemandThroughput: limits } }],
      },
    },
  ]);
  expect([...tables.keys()]).toEqual(expect.arrayContaining([own("Users"), own("Accounts")]));

  // Repeated, it goes on with the same tables, and keeps the one that the stage uses already.
  const { code, output } = await restore(["--switch"]);
  expect([code, tables.size]).toEqual([0, 4]);
  const listed = (text: string) => text.split("tables=")[1]?.trim().split(",").sort();
  expect(listed(output)).toEqual(setting);
  const [call = ""] = readFileSync(join(directory, "calls"), "utf8").split("\n");
  expect(call).toMatch(/^run deploy -- --stage dev --all-at-once --tables /);
});

it("refuses tables that are in use, unknown areas, and what is no time", async () => {
  const failed = (code: number, errors: RegExp) => ({ code, errors: expect.stringMatching(errors) });
  expect(await restore([], { UsersTableInUse: restored("users") })).toMatchObject(
    failed(1, /^dev uses \S+-users-20261121093000 already\.\n$/),
  );
  expect(await restore(["--areas", "users,none"])).toMatchObject(failed(2, /^--areas must be out of /));
  expect(await restore(["--to", "yesterday"])).toMatchObject(failed(2, /^--to must be a time such as /));
  expect(calls).toEqual([]);
});
