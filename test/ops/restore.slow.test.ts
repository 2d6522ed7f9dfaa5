import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { tableNames } from "../../functions/definitions.ts";
import { inUseOutput, SERVICE_NAME, tableConstructId } from "../../lib/construct-ids.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runProgram } from "../support/programs/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const to = "2026-11-21T09:30:00Z";
const secondsAt = (time: string) => Date.parse(time) / 1_000;
const limits = { MaxReadRequestUnits: 4_000, MaxWriteRequestUnits: 1_000 };
const own = (area: string) => `${SERVICE_NAME}-prod-${area}-1A2B`;
const restored = (area: string) => `${SERVICE_NAME}-prod-${area}-20261121093000`;
/** Another table, which the stage has replaced before. */
const replaced = tableNames.filter((name) => name !== "accounts" && name !== "users").slice(0, 1);
const setting = [
  ...["accounts", "users"].map((name) => `${name}:${restored(name)}`),
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
    EarliestRestorableDateTime: secondsAt("2026-10-20T00:00:00Z"),
    LatestRestorableDateTime: secondsAt("2026-11-24T00:00:00Z"),
  };
  directory = temporaryDirectory(onTestFinished);
  writeFileSync(join(directory, "npm"), '#!/bin/sh\necho "$@" >> calls\n', { mode: 0o755 });
});

function answer(operation: string, input: Readonly<Record<string, string>>): object {
  const { TableName = "", SourceTableName = "", TargetTableName = "" } = input;
  const isOwn = TableName.endsWith("1A2B");
  const find = (table: string) => {
    const items = tables.get(table);
    if (items !== undefined) return items;
    throw Object.assign(new Error("no table"), { name: "ResourceNotFoundException" });
  };
  if (/^(Restore|Update|Tag)/.test(operation)) calls.push({ operation, input });
  if (/Item|Query/.test(operation) && JSON.stringify(input).includes(restored("users")))
    repaired.push(restored("users"));
  switch (operation) {
    case "RestoreTableToPointInTime":
      expect(tables.has(TargetTableName)).toBe(false);
      tables.set(TargetTableName, find(SourceTableName) - 1);
      return {};
    case "DescribeTable": {
      find(TableName);
      const TableArn = `arn:aws:dynamodb:eu-west-1:111111111111:table/${TableName}`;
      const index = { IndexName: "by-user", OnDemandThroughput: limits };
      // AWS Backup restores no limits.
      const hasLimits = isOwn || recovery.PointInTimeRecoveryStatus === "ENABLED";
      const Table = {
        ...{ TableStatus: "ACTIVE", TableArn, DeletionProtectionEnabled: isOwn },
        ...(hasLimits && { OnDemandThroughput: limits }),
        ...(TableName.includes("sers") && { GlobalSecondaryIndexes: [index] }),
      };
      return { Table };
    }
    case "DescribeTimeToLive":
      return { TimeToLiveDescription: isOwn ? { AttributeName: "expires_at" } : {} };
    case "ListTagsOfResource": {
      const tags = { stage: "prod", "aws:cloudformation:x": "1" };
      return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) };
    }
    case "DescribeContinuousBackups":
      return { ContinuousBackupsDescription: { PointInTimeRecoveryDescription: recovery } };
    case "Scan":
      return { Items: Array.from({ length: find(TableName) }, (_, i) => item(i, i === 0 && isOwn)) };
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
  const resources = ["Users", "Accounts"].map(
    (name) => ["AWS::DynamoDB::Table", `${name}Table12AB34CD`, own(name)] as const,
  );
  const before = replaced.map((name) => [inUseOutput(tableConstructId(name)), `old-${name}`]);
  const outputs = { ...Object.fromEntries(before), ...inUse };
  const deployed = { answer, policies: ["operator", "recovery"] };
  const aws = await startCloudFormation(`${SERVICE_NAME}-prod`, [resources], outputs, deployed);
  const environment = { PATH: `${directory}:${process.env.PATH}`, ...aws.environment };
  const words = ["--stage", "prod", "--to", to, "--areas", "users,accounts", ...args];
  onTestFinished(aws.close);
  return runProgram("ops/restore.ts", words, { environment, directory });
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
  const inputs = calls.map(({ input }) => input);
  const isOfUsers = (value: unknown) => String(value).endsWith(restored("users"));
  expect(inputs.filter((input) => Object.values(input).some(isOfUsers))).toMatchObject([
    { SourceTableName: own("Users"), OnDemandThroughputOverride: limits },
    { TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true } },
    { Tags: [{ Key: "stage", Value: "prod" }] },
    { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    { DeletionProtectionEnabled: true },
    { GlobalSecondaryIndexUpdates: [{ Update: { IndexName: "by-user", OnDemandThroughput: limits } }] },
  ]);
  expect([...tables.keys()]).toEqual(expect.arrayContaining([own("Users"), own("Accounts")]));

  // Repeated, it goes on with the same tables, and keeps the one that the stage uses already.
  expect(repaired).toEqual([]);
  const asked = await restore(["--switch"]);
  expect([asked.code, asked.errors]).toEqual([2, expect.stringContaining("without a terminal, add --yes.")]);
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
    { LatestRestorableDateTime: secondsAt("2026-11-21T09:29:59Z") },
    "possible is 2026-10-20T00:00:00.000Z to 2026-11-21T09:29:59.000Z",
  ],
  [
    "too long ago",
    { EarliestRestorableDateTime: secondsAt("2026-11-22T00:00:00Z") },
    "possible is 2026-11-22T00:00:00.000Z to 2026-11-24T00:00:00.000Z",
  ],
])("a dry run asks what AWS would refuse: a time %s", async (_, difference, reason) => {
  recovery = { ...recovery, ...difference };
  const first = `Nothing was restored, because to ${to} these tables cannot be:\n`;
  const adviceFor = (area: string) =>
    `- ${area}: ${reason}; or let AWS Backup restore it as ${restored(area)} first (docs/operations.md)\n`;
  const errors = first + adviceFor("users") + adviceFor("accounts");
  for (const args of [["--dry-run"], []])
    expect(await restore(args)).toEqual({ code: 1, output: "", errors });
  expect(calls).toEqual([]);
});

it("goes on with what AWS Backup has restored, whatever the recovery of the tables", async () => {
  recovery = { PointInTimeRecoveryStatus: "DISABLED" };
  tables.set(restored("users"), 4).set(restored("accounts"), 2);
  expect(await restore([])).toMatchObject({ code: 0, output: expect.stringContaining("\ntables=") });
  expect(calls.map(({ operation }) => operation)).not.toContain("RestoreTableToPointInTime");
  const input = { TableName: restored("users"), OnDemandThroughput: limits };
  expect(calls).toContainEqual({ operation: "UpdateTable", input });
});
