import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { tableNames } from "../../functions/definitions.ts";
import { inUseOutput, SERVICE_NAME, tableConstructId } from "../../lib/construct-ids.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runProgram } from "../support/programs/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const to = "2026-11-21T09:30:00Z";
const limits = { MaxReadRequestUnits: 4_000, MaxWriteRequestUnits: 1_000 };
const own = (area: string) => `${SERVICE_NAME}-prod-${area}-1A2B`;
const restored = (area: string) => `${SERVICE_NAME}-prod-${area}-20261121093000`;
/** Another table, which the stage has replaced before. */
const replaced = tableNames.filter((name) => name !== "accounts" && name !== "users").slice(0, 1);
const setting = [
  `accounts:${restored("accounts")}`,
  `users:${restored("users")}`,
  ...replaced.map((name) => `${name}:old-${name}`),
].sort();

/** A DynamoDB that knows the tables of a stage: what a restore copies from its source, and what it does not. */
let calls: { operation: string; input: Readonly<Record<string, unknown>> }[];
/** The restored tables that a repair has read. */
let repaired: string[];
let tables: Map<string, number>;
let recovery: { PointInTimeRecoveryStatus: string; [time: string]: string | number };
let directory: string;
beforeEach(() => {
  calls = [];
  repaired = [];
  tables = new Map(Object.entries({ [own("Users")]: 5, [own("Accounts")]: 3 }));
  recovery = {
    PointInTimeRecoveryStatus: "ENABLED",
    EarliestRestorableDateTime: Date.parse("2026-10-20T00:00:00Z") / 1_000,
    LatestRestorableDateTime: Date.parse("2026-11-24T00:00:00Z") / 1_000,
  };
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
  if (/Item|Query/.test(operation) && JSON.stringify(input).includes(restored("users")))
    repaired.push(restored("users"));
  switch (operation) {
    case "RestoreTableToPointInTime": {
      const target = input.TargetTableName ?? "";
      expect(tables.has(target)).toBe(false);
      tables.set(target, find(input.SourceTableName ?? "") - 1);
      return {};
    }
    case "DescribeTable":
      find(name);
      return {
        Table: {
          ...{ TableStatus: "ACTIVE", TableArn: `arn:aws:dynamodb:eu-west-1:111111111111:table/${name}` },
          // AWS Backup restores none.
          ...((name.endsWith("1A2B") || recovery.PointInTimeRecoveryStatus === "ENABLED") && {
            OnDemandThroughput: limits,
          }),
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
          { Key: "stage", Value: "prod" },
          { Key: "aws:cloudformation:x", Value: "1" },
        ],
      };
    case "DescribeContinuousBackups":
      return { ContinuousBackupsDescription: { PointInTimeRecoveryDescription: recovery } };
    case "Scan":
      return {
        Items: Array.from({ length: find(name) }, (_, i) => item(i, i === 0 && name.endsWith("1A2B"))),
      };
    default:
      return {};
  }
}

/** A stored item; one that has changed since has the same key. Attributes come in any order. */
function item(id: number, isChanged: boolean): object {
  const attributes = { pk: { S: "0" }, sk: { N: String(id) }, name: { S: isChanged ? "new" : "old" } };
  return isChanged ? attributes : Object.fromEntries(Object.entries(attributes).reverse());
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
  const aws = await startCloudFormation(`${SERVICE_NAME}-prod`, pages, outputs, {
    ...{ answer, policies: ["operator", "recovery"] },
  });
  const environment = { PATH: `${directory}:${process.env.PATH}`, ...aws.environment };
  const words = ["--stage", "prod", "--to", to, "--areas", "users,accounts", ...args];
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
      /^users +4 items at 2026-11-21T09:30:00Z, 5 now\n +1 changed since: 0\/0\n +1 created since: 0\/4\naccounts +2 items .*, 3 now[\s\S]*\ntables=.*\n$/,
    ),
    errors: expect.stringMatching(/Nothing uses them yet: repeat the command with --switch\.\n$/),
  });
  const ofUsers = calls.filter(({ input }) =>
    Object.values(input).some((value) => String(value).endsWith(restored("users"))),
  );
  expect(ofUsers).toMatchObject([
    {
      operation: "RestoreTableToPointInTime",
      input: { SourceTableName: own("Users"), OnDemandThroughputOverride: limits },
    },
    { input: { TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true } } },
    { operation: "TagResource", input: { Tags: [{ Key: "stage", Value: "prod" }] } },
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
  expect(repaired).toEqual([]);
  expect(await restore(["--switch"])).toMatchObject({
    ...{ code: 2, errors: expect.stringContaining("without a terminal, add --yes.") },
  });
  const { code, output } = await restore(["--switch", "--yes"]);
  expect([code, tables.size]).toEqual([0, 4]);
  const listed = (text: string) => text.split("tables=")[1]?.trim().split(",").sort();
  expect(listed(output)).toEqual(setting);
  const [call = ""] = readFileSync(join(directory, "calls"), "utf8").split("\n");
  // An order would reserve stock again, if one of before the restore were still pending.
  expect(repaired).toContain(restored("users"));
  expect(call).toMatch(/^run deploy -- --stage prod --all-at-once --yes --tables /);
});

it("refuses tables that are in use, unknown areas, and what is no time", async () => {
  const failed = (code: number, errors: RegExp) => ({ code, errors: expect.stringMatching(errors) });
  expect(await restore([], { UsersTableInUse: restored("users") })).toMatchObject(
    failed(1, /^prod uses \S+-users-20261121093000 already\.\n$/),
  );
  expect(await restore(["--areas", "users,none"])).toMatchObject(failed(2, /^--areas must be out of /));
  for (const time of ["yesterday", "2026-02-31T09:30:00Z", "2026-11-21T09:30:00"])
    expect(await restore(["--to", time])).toMatchObject(failed(2, /^--to must be a time such as /));
  expect(calls).toEqual([]);
});

it.each([
  [
    "without recovery",
    { PointInTimeRecoveryStatus: "DISABLED" },
    "it keeps no earlier moments (point-in-time recovery)",
  ],
  [
    "in the future",
    { LatestRestorableDateTime: Date.parse("2026-11-21T09:29:59Z") / 1_000 },
    "possible is 2026-10-20T00:00:00.000Z to 2026-11-21T09:29:59.000Z",
  ],
  [
    "too long ago",
    { EarliestRestorableDateTime: Date.parse("2026-11-22T00:00:00Z") / 1_000 },
    "possible is 2026-11-22T00:00:00.000Z to 2026-11-24T00:00:00.000Z",
  ],
])("a dry run asks what AWS would refuse: a time %s", async (_, difference, reason) => {
  recovery = { ...recovery, ...difference };
  for (const args of [["--dry-run"], []])
    expect(await restore(args)).toEqual({
      code: 1,
      output: "",
      errors: `Nothing was restored, because to ${to} these tables cannot be:\n${["users", "accounts"]
        .map((area) => `- ${area}: ${reason}; or let AWS Backup restore it as ${restored(area)} first`)
        .map((line) => `${line} (docs/operations.md)\n`)
        .join("")}`,
    });
  expect(calls).toEqual([]);
});

it("goes on with what AWS Backup has restored, whatever the recovery of the tables", async () => {
  recovery = { PointInTimeRecoveryStatus: "DISABLED" };
  tables.set(restored("users"), 4).set(restored("accounts"), 2);
  expect(await restore([])).toMatchObject({ code: 0, output: expect.stringContaining("\ntables=") });
  expect(calls.map(({ operation }) => operation)).not.toContain("RestoreTableToPointInTime");
  expect(calls).toContainEqual({
    operation: "UpdateTable",
    input: { TableName: restored("users"), OnDemandThroughput: limits },
  });
});
