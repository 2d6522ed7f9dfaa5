import { setTimeout as wait } from "node:timers/promises";
import {
  DescribeContinuousBackupsCommand,
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
import { tableNames, tablesWithIds } from "../functions/definitions.ts";
import { repair } from "../functions/repair/repair.ts";
import { stackNameOf } from "../lib/construct-ids.ts";
import { comparison } from "./backup/comparison.ts";
import { checkAnswerable, deployWith, settingsInUse, textOf } from "./deployment/deploy-with.ts";
import { forEachOf } from "./for-each-of.ts";
import { type OperatorContext, runOperatorCommand } from "./operator-command.ts";

const POLL_MS = 10_000;

await runOperatorCommand({
  name: "restore",
  description: `Restores tables of a deployed stage to a second of the last 35 days, as new tables beside those in use
(docs/adr/0023), with their expiry, limits, protection and tags. It compares them with those. With
--switch, it then repairs ids and stock of the new tables, and deploys the stage with them. The previous ones
stay, and nothing is deleted. A restore that was interrupted continues.`,
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
    yes: { type: "boolean", description: "do not ask about wider permissions of --switch: for pipelines" },
  },
  check({ to, areas }) {
    const time = new Date(to);
    // Without milliseconds. 31 February is the 3rd of March.
    if (Number.isNaN(time.getTime()) || time.toISOString() !== to.replace(/Z$/, ".000Z"))
      throw new UsageError(`--to must be a time such as 2026-11-21T09:30:00Z, not "${to}".`);
    const unknown = areas?.split(",").find((area) => !tableNames.includes(area));
    if (unknown !== undefined)
      throw new UsageError(`--areas must be out of ${tableNames.join(",")}, not "${unknown}".`);
  },
  async run({ to, areas, switch: mustSwitch, yes }, context) {
    const { stage, stageName, isDryRun, print, progress } = context;
    const { outputs } = stage.stack("The local run keeps no earlier moments: import an export.");
    if (mustSwitch && !isDryRun) checkAnswerable(yes);
    const inUse = settingsInUse(outputs);
    const wanted = areas?.split(",") ?? tableNames;
    const targetOf = (area: string) => `${stackNameOf(stageName)}-${area}-${to.replaceAll(/\D/g, "")}`;
    const used = wanted.find((area) => stage.table(area) === targetOf(area));
    if (used !== undefined) throw new CommandError(`${stageName} uses ${targetOf(used)} already.`);
    await forEachOf(wanted, `Nothing was restored, because to ${to} these tables cannot be`, (area) =>
      checkRecovery(stage.rawDynamodb, stage.table(area), new Date(to)),
    );
    // All at once: each takes minutes to hours.
    await forEachOf(wanted, "Not restored (repeat the command)", async (area) => {
      if (isDryRun) print(`Would restore ${stage.table(area)} to ${to} as ${targetOf(area)}.`);
      else await startRestore(context, stage.table(area), targetOf(area), to);
      inUse.tables.set(area, targetOf(area));
    });
    const setting = textOf(inUse.tables);
    if (isDryRun) return print(`Would ${mustSwitch ? "deploy" : "print"} the setting tables=${setting}.`);
    await forEachOf(wanted, "Not complete (repeat the command)", async (area) => {
      await complete(context, stage.table(area), targetOf(area));
      print(
        await comparison(stage.rawDynamodb, { area, to, restored: targetOf(area), used: stage.table(area) }),
      );
    });
    print(`tables=${setting}`);
    if (!mustSwitch) return progress("Nothing uses them yet: repeat the command with --switch.");
    progress("Repairing ids and stock, before anybody orders");
    // Nothing else writes to them, so no creation and no order is running.
    await repair(
      stage.dynamodb,
      tablesWithIds.filter((area) => wanted.includes(area)),
      (area) => (wanted.includes(area) ? targetOf(area) : undefined),
      { wait: async () => undefined, abandonedAfterMs: Number.NEGATIVE_INFINITY },
    );
    deployWith(stageName, inUse, yes);
    progress(`Write these tables into the stage's file in infra/stages, and run npm run repair.`);
  },
});

/** @throws {CommandError} if the table cannot be restored to a time */
async function checkRecovery(client: Client, TableName: string, to: Date): Promise<void> {
  const { ContinuousBackupsDescription: found } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const { PointInTimeRecoveryStatus: status, ...times } = found?.PointInTimeRecoveryDescription ?? {};
  const { EarliestRestorableDateTime: first = to, LatestRestorableDateTime: last = to } = times;
  if (status !== "ENABLED") throw new CommandError("it keeps no earlier moments (point-in-time recovery)");
  if (to < first || to > last)
    throw new CommandError(`possible is ${first.toISOString()} to ${last.toISOString()}`);
}

/** Begins the restore, or goes on with one that an earlier attempt has begun. */
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
