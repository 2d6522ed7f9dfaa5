import { setTimeout as wait } from "node:timers/promises";
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTagsOfResourceCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { CommandError, UsageError } from "../cli/errors.ts";
import { tableNames } from "../functions/definitions.ts";
import { stackNameOf } from "../lib/construct-ids.ts";
import { countItems } from "./backup/tables.ts";
import { deployWith, settingsInUse, textOf } from "./deployment/deploy-with.ts";
import { type OperatorContext, runOperatorCommand } from "./operator-command.ts";

const POLL_MS = 10_000;

await runOperatorCommand({
  name: "restore",
  description: `Restores tables of a deployed stage to a second of the last 35 days, as new tables beside those in use
(docs/adr/0023), with their expiry, limits, protection and tags. It prints the numbers of items of both. With
--switch, it then deploys the stage with the new tables. The previous ones stay, and nothing is deleted. A
restore that was interrupted continues.`,
  options: {
    to: {
      type: "string",
      isRequired: true,
      placeholder: "time",
      description: "such as 2026-11-21T09:30:00Z",
    },
    areas: {
      type: "string",
      placeholder: "list",
      description: "such as orders,products, which have to be restored together (default: all)",
    },
    switch: { type: "boolean", description: "deploy the stage with the restored tables, without a canary" },
  },
  check({ to, areas }) {
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(to) || Number.isNaN(Date.parse(to)))
      throw new UsageError(`--to must be a time such as 2026-11-21T09:30:00Z, not "${to}".`);
    const unknown = areas?.split(",").find((area) => !tableNames.includes(area));
    if (unknown !== undefined)
      throw new UsageError(`--areas must be out of ${tableNames.join(",")}, not "${unknown}".`);
  },
  async run({ to, areas, switch: mustSwitch }, context) {
    const { stage, stageName, isDryRun, print, progress } = context;
    const { outputs } = stage.stack("The local run keeps no earlier moments: import an export.");
    const inUse = settingsInUse(outputs);
    const wanted = areas?.split(",") ?? tableNames;
    const targetOf = (area: string) => `${stackNameOf(stageName)}-${area}-${to.replaceAll(/\D/g, "")}`;
    const used = wanted.find((area) => stage.table(area) === targetOf(area));
    if (used !== undefined) throw new CommandError(`${stageName} uses ${targetOf(used)} already.`);
    // All at once: each takes minutes to hours.
    for (const area of wanted) {
      if (isDryRun) print(`Would restore ${stage.table(area)} to ${to} as ${targetOf(area)}.`);
      else await startRestore(context, stage.table(area), targetOf(area), to);
      inUse.tables.set(area, targetOf(area));
    }
    const setting = textOf(inUse.tables);
    if (isDryRun) return print(`Would ${mustSwitch ? "deploy" : "print"} the setting tables=${setting}.`);
    for (const area of wanted) {
      await complete(context, stage.table(area), targetOf(area));
      const restored = { ...stage, table: targetOf };
      const [before, after] = [await countItems(stage, area), await countItems(restored, area)];
      print(`${area.padEnd(9)} ${after.all} items at ${to}, ${before.all} now`);
    }
    print(`tables=${setting}`);
    if (!mustSwitch) return progress("Nothing uses them yet: repeat the command with --switch.");
    deployWith(stageName, inUse);
    progress(`Write these tables into the stage's file in infra/stages, and run npm run repair.`);
  },
});

/** @throws {CommandError} if the table has no recovery at that time */
async function startRestore(
  { stage: { rawDynamodb: client }, progress }: OperatorContext,
  source: string,
  target: string,
  to: string,
): Promise<void> {
  const { OnDemandThroughput } = await describe(client, source);
  const input = {
    SourceTableName: source,
    TargetTableName: target,
    RestoreDateTime: new Date(to),
    ...(OnDemandThroughput && { OnDemandThroughputOverride: OnDemandThroughput }),
  };
  try {
    await client.send(new RestoreTableToPointInTimeCommand(input));
    progress(`Restoring ${source} as ${target}`);
  } catch (error) {
    // An earlier attempt has begun it.
    if (!(error instanceof ResourceInUseException) && (error as Error).name !== "TableAlreadyExistsException")
      throw error;
    progress(`${target} exists already`);
  }
}

/** Waits until the restored table is ready, and gives it what a restore does not copy from its source. */
async function complete(
  { stage: { rawDynamodb: client }, progress }: OperatorContext,
  source: string,
  target: string,
): Promise<void> {
  const restored = await ready(client, target);
  progress(`${target} is restored`);
  const original = await describe(client, source);
  const expiryOf = async (TableName: string) =>
    (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription?.AttributeName;
  const AttributeName = await expiryOf(source);
  if (AttributeName && (await expiryOf(target)) === undefined) {
    const TimeToLiveSpecification = { AttributeName, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName: target, TimeToLiveSpecification }));
  }
  const { Tags = [] } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: original.TableArn }));
  // CloudFormation's tags, which begin so, are refused.
  const tags = Tags.filter(({ Key }) => !Key?.startsWith("aws:"));
  if (tags.length > 0)
    await client.send(new TagResourceCommand({ ResourceArn: restored.TableArn, Tags: tags }));
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(
    new UpdateContinuousBackupsCommand({ TableName: target, PointInTimeRecoverySpecification }),
  );
  if (original.DeletionProtectionEnabled)
    await client.send(new UpdateTableCommand({ TableName: target, DeletionProtectionEnabled: true }));
  for (const { IndexName, OnDemandThroughput } of original.GlobalSecondaryIndexes ?? []) {
    if (OnDemandThroughput === undefined) continue;
    // One change of a table at a time.
    await ready(client, target);
    const GlobalSecondaryIndexUpdates = [{ Update: { IndexName, OnDemandThroughput } }];
    await client.send(new UpdateTableCommand({ TableName: target, GlobalSecondaryIndexUpdates }));
  }
  await ready(client, target);
}

type Client = OperatorContext["stage"]["rawDynamodb"];

async function describe(client: Client, name: string): Promise<TableDescription> {
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: name }));
  return Table;
}

/** @throws {CommandError} if the table disappears, which says that its restore failed */
async function ready(client: Client, name: string): Promise<TableDescription> {
  for (;;) {
    try {
      const table = await describe(client, name);
      if (table.TableStatus === "ACTIVE") return table;
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      throw new CommandError(`The restore as ${name} failed: repeat the command.`);
    }
    await wait(POLL_MS);
  }
}
