import { spawnSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTagsOfResourceCommand,
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
import { inUseOutput, secretConstructIds, stackNameOf, tableConstructId } from "../lib/construct-ids.ts";
import { comparison } from "./backup/comparison.ts";
import { forEachOf } from "./for-each-of.ts";
import { type OperatorContext, runOperatorCommand } from "./operator-command.ts";

const POLL_MS = 10_000;

await runOperatorCommand({
  name: "restore",
  hasDryRun: true,
  description: `Restores tables of a deployed stage to any second of the last 35 days, as new tables beside those in use
(docs/adr/0023), with their expiry, limits, protection and tags. It compares them with the tables in use. With
--switch, it then repairs ids and stock of the new tables, and deploys the stage with them. The previous ones
stay, and nothing is deleted. A restore that was interrupted continues, as does one that AWS Backup has begun.`,
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
    if (mustSwitch && !isDryRun && !yes && !process.stdin.isTTY)
      throw new UsageError("The deployment asks about wider permissions: without a terminal, add --yes.");
    const tables = inUse(outputs, tableNames, tableConstructId);
    const wanted = areas?.split(",") ?? tableNames;
    const targetOf = (area: string) => `${stackNameOf(stageName)}-${area}-${to.replaceAll(/\D/g, "")}`;
    const used = wanted.find((area) => stage.table(area) === targetOf(area));
    if (used !== undefined) throw new CommandError(`${stageName} uses ${targetOf(used)} already.`);
    await forEachOf(wanted, `Nothing was restored, because to ${to} these tables cannot be`, (area) =>
      checkRecovery(stage.rawDynamodb, stage.table(area), targetOf(area), new Date(to)),
    );
    // All at once: each takes minutes to hours.
    await forEachOf(wanted, "Not restored (repeat the command)", async (area) => {
      if (isDryRun) print(`Would restore ${stage.table(area)} to ${to} as ${targetOf(area)}.`);
      else await startRestore(context, stage.table(area), targetOf(area), to);
      tables.set(area, targetOf(area));
    });
    const setting = textOf(tables);
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
    const secrets = inUse(outputs, Object.values(secretConstructIds), (id) => id);
    deployWith(stageName, { tables, secrets }, yes);
    progress(`Write these tables into the stage's file in infra/stages, and run npm run repair.`);
  },
});

/** The tables or secrets that the stage uses instead of its own, by area or id. */
function inUse(
  outputs: ReadonlyMap<string | undefined, string | undefined>,
  names: readonly string[],
  idOf: (name: string) => string,
): Map<string, string> {
  const found = names.map((name) => [name, outputs.get(inUseOutput(idOf(name)))] as const);
  return new Map(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Deploys a stage with these settings, at once: two versions must not use different tables. */
function deployWith(
  stageName: string,
  settings: Readonly<Record<string, ReadonlyMap<string, string>>>,
  yes: boolean,
): void {
  const options = Object.entries(settings).flatMap(([name, values]) =>
    values.size === 0 ? [] : [`--${name}`, textOf(values)],
  );
  const args = ["run", "deploy", "--", "--stage", stageName, "--all-at-once", ...(yes ? ["--yes"] : [])];
  const { status } = spawnSync("npm", [...args, ...options], { stdio: "inherit" });
  if (status !== 0)
    throw new CommandError("The deployment failed: the stage is as before. Repeat the command.");
}

/** As in `-c tables=…`. */
function textOf(setting: ReadonlyMap<string, string>): string {
  return [...setting].map((pair) => pair.join(":")).join();
}

/** @throws {CommandError} if the table cannot be restored to a time, and is not yet, for instance from a backup */
async function checkRecovery(client: Client, TableName: string, target: string, to: Date): Promise<void> {
  if ((await find(client, target)) !== undefined) return;
  const { ContinuousBackupsDescription: found } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const { PointInTimeRecoveryStatus: status, ...times } = found?.PointInTimeRecoveryDescription ?? {};
  const { EarliestRestorableDateTime: first = to, LatestRestorableDateTime: last = to } = times;
  const otherwise = `or let AWS Backup restore it as ${target} first (docs/operations.md)`;
  if (status !== "ENABLED")
    throw new CommandError(`it keeps no earlier moments (point-in-time recovery); ${otherwise}`);
  if (to < first || to > last)
    throw new CommandError(`possible is ${first.toISOString()} to ${last.toISOString()}; ${otherwise}`);
}

/** Begins the restore, unless an earlier attempt or AWS Backup has begun one. */
async function startRestore(
  { stage: { rawDynamodb: client }, progress }: OperatorContext,
  source: string,
  target: string,
  to: string,
): Promise<void> {
  if ((await find(client, target)) !== undefined) return progress(`${target} exists already`);
  const { OnDemandThroughput } = (await find(client, source)) ?? {};
  const input = {
    SourceTableName: source,
    TargetTableName: target,
    RestoreDateTime: new Date(to),
    ...(OnDemandThroughput && { OnDemandThroughputOverride: OnDemandThroughput }),
  };
  await client.send(new RestoreTableToPointInTimeCommand(input));
  progress(`Restoring ${source} as ${target}`);
}

/** Waits until the restored table is ready, and gives it what a restore does not copy from its source. */
async function complete(
  { stage: { rawDynamodb: client }, progress }: OperatorContext,
  source: string,
  target: string,
): Promise<void> {
  const restored = await ready(client, target);
  progress(`${target} is restored`);
  const original: TableDescription = (await find(client, source)) ?? {};
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
  const { OnDemandThroughput: limits, GlobalSecondaryIndexes: indexes = [] } = original;
  const changes = [
    // A restore by AWS Backup has none.
    ...(limits && !restored.OnDemandThroughput ? [{ OnDemandThroughput: limits }] : []),
    ...indexes.flatMap(({ IndexName, OnDemandThroughput }) =>
      OnDemandThroughput
        ? [{ GlobalSecondaryIndexUpdates: [{ Update: { IndexName, OnDemandThroughput } }] }]
        : [],
    ),
  ];
  for (const change of changes) {
    // One change of a table at a time.
    await ready(client, target);
    await client.send(new UpdateTableCommand({ TableName: target, ...change }));
  }
  await ready(client, target);
}

type Client = OperatorContext["stage"]["rawDynamodb"];

async function find(client: Client, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** @throws {CommandError} if the table disappears, which says that its restore failed */
async function ready(client: Client, name: string): Promise<TableDescription> {
  for (;;) {
    const table = await find(client, name);
    if (table === undefined) throw new CommandError(`The restore as ${name} failed: repeat the command.`);
    if (table.TableStatus === "ACTIVE") return table;
    await wait(POLL_MS);
  }
}
