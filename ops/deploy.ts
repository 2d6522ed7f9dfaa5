import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient, paginateListTables } from "@aws-sdk/client-dynamodb";
import { runCommand } from "../cli/command.ts";
import { CommandError, UsageError } from "../cli/errors.ts";
import { operatorClientConfig } from "../lib/aws.ts";
import { isStageName, stackNameOf } from "../lib/construct-ids.ts";
import { emptyTwins, losses, tablesInUse } from "./deployment/losses.ts";
import { refusals, type StackTemplate } from "./deployment/replacements.ts";
import { expectedMessage } from "./operator-command.ts";
import { deployedStack } from "./stage.ts";

const DIRECTORY = "cdk.out";

await runCommand({
  name: "npm run deploy",
  description: `Deploys a stage with the settings of its file in infra/stages, unless it would lose something: its name, a
table, a secret, a log group, an index or a protection. It first compares the template with the deployed one, and checks that the
tables of the setting "tables" exist. The outputs are in ${DIRECTORY}/outputs.json.`,
  options: {
    stage: {
      type: "string",
      placeholder: "name",
      isRequired: true,
      description: "dev, prod, or a name such as dev-alice",
    },
    drop: { type: "boolean", description: "deploy even if the stage loses something" },
    "all-at-once": { type: "boolean", description: "without a canary: for a fix while an alarm is on" },
    tables: {
      type: "string",
      placeholder: "list",
      description: 'the setting "tables", as npm run restore prints it',
    },
    secrets: {
      type: "string",
      placeholder: "list",
      description: 'the setting "secrets": secrets to use instead of deleted ones',
    },
    yes: { type: "boolean", description: "do not ask about wider permissions: for pipelines" },
    synthesized: { type: "boolean", description: `deploy what ${DIRECTORY} contains` },
  },
  async run({ stage, drop, "all-at-once": isAllAtOnce, tables, secrets, yes, synthesized }) {
    if (!isStageName(stage))
      throw new UsageError(`--stage must be dev, prod, or a name such as dev-alice, not "${stage}".`);
    const stackName = stackNameOf(stage);
    const context = [
      ...["-c", `stage=${stage}`],
      ...(isAllAtOnce ? ["-c", "rollout=all-at-once"] : []),
      ...Object.entries({ tables, secrets }).flatMap(([name, value]) =>
        value === undefined ? [] : ["-c", `${name}=${value}`],
      ),
    ];
    if (!synthesized) cdk(["synth", "--quiet", "--output", DIRECTORY, ...context]);
    const file = join(DIRECTORY, `${stackName}.template.json`);
    if (!existsSync(file))
      throw new CommandError(`There is no ${file}: synthesize the stage ${stage} first.`);
    const next: StackTemplate = JSON.parse(readFileSync(file, "utf8"));
    const isComplete = await checkAll(stackName, next, drop);
    cdk([
      "deploy",
      stackName,
      ...["--app", DIRECTORY],
      ...["--outputs-file", join(DIRECTORY, "outputs.json")],
      ...(yes ? ["--require-approval", "never"] : []),
      // A first deployment that fails could not remove protected tables.
      ...(isComplete ? [] : ["--no-rollback"]),
    ]);
    return 0;
  },
  expectedMessage,
});

/**
 * @returns whether a deployment of the stack has ever succeeded
 * @throws {CommandError} if a table does not exist, AWS would refuse a change, or the stack would lose something
 */
async function checkAll(stackName: string, next: StackTemplate, mayDrop: boolean): Promise<boolean> {
  const client = new DynamoDBClient(operatorClientConfig);
  const pages = await Array.fromAsync(paginateListTables({ client }, {}));
  const existing = pages.flatMap(({ TableNames = [] }) => TableNames);
  const missing = tablesInUse(next).find((name) => !existing.includes(name));
  if (missing !== undefined)
    throw new CommandError(`There is no table ${missing} (the setting "tables"). Nothing was deployed.`);
  const deployed = await deployedStack(stackName);
  if (deployed === undefined) return false;
  const refused = refusals(deployed.template, next);
  if (refused.length > 0)
    throw new CommandError(`AWS would refuse:\n- ${refused.join("\n- ")}\nNothing was deployed.`);
  const lost = [
    ...losses(deployed.template, next),
    ...emptyTwins(stackName, deployed.template, next, existing),
  ];
  if (lost.length > 0 && !mayDrop)
    throw new CommandError(
      `${stackName} would lose:\n- ${lost.join("\n- ")}\nNothing was deployed. Correct infra/stages, or repeat with --drop.`,
    );
  return deployed.isComplete;
}

/** @throws {CommandError} if it fails; the CDK has printed why */
function cdk(args: readonly string[]): void {
  const { status } = spawnSync("npx", ["cdk", ...args], { stdio: "inherit" });
  if (status !== 0) throw new CommandError(`cdk ${args[0]} failed.`);
}
