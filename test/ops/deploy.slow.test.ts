import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { runProgram } from "../support/programs/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const table = { Type: "AWS::DynamoDB::Table", DeletionPolicy: "Delete" };
const template = { Resources: { TodosTable: table } };
const templateFile = `cdk.out/${SERVICE_NAME}-dev.template.json`;
const synthesized = ["--stage", "dev", "--synthesized"];

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
  mkdirSync(join(directory, "cdk.out"));
  synthesize(template);
  const fake = resolve("test/support/infra/fake-cdk.mjs");
  const npx = `#!/bin/sh\nexec "${process.execPath}" "${fake}" "$@"\n`;
  writeFileSync(join(directory, "npx"), npx, { mode: 0o755 });
});

function synthesize(wanted: object): void {
  writeFileSync(join(directory, templateFile), JSON.stringify(wanted));
}

async function deploy(
  args: readonly string[],
  {
    stackName = `${SERVICE_NAME}-dev`,
    status = "UPDATE_COMPLETE",
    deployed = template as object,
    tables = [] as string[],
  } = {},
) {
  const answer = () => ({ TableNames: tables });
  writeFileSync(join(directory, "deployed.json"), JSON.stringify({ Resources: {}, ...deployed }));
  const cloudFormation = await startCloudFormation(stackName, [], {}, { status, template: deployed, answer });
  onTestFinished(cloudFormation.close);
  const environment = { PATH: `${directory}:${process.env.PATH}`, ...cloudFormation.environment };
  return runProgram("ops/deploy.ts", args, { environment, directory });
}

const calls = () => readFileSync(join(directory, "calls"), "utf8").trimEnd().split("\n");
const command = `cdk deploy ${SERVICE_NAME}-dev --app cdk.out --outputs-file cdk.out/outputs.json`;

describe("npm run deploy", () => {
  it("synthesizes the stage and deploys it", async () => {
    const args = ["--stage", "dev", "--all-at-once", "--yes"];
    expect(await deploy(args)).toEqual({ code: 0, output: "", errors: "" });
    expect(calls()).toEqual([
      "cdk synth --quiet --output cdk.out -c stage=dev -c rollout=all-at-once",
      `${command} --require-approval never`,
    ]);
  });

  it.each([
    ["there is no stack yet", { stackName: `${SERVICE_NAME}-prod` }],
    ["the first deployment has failed", { status: "CREATE_FAILED" }],
    ["it has failed twice", { status: "UPDATE_FAILED" }],
    ["it was interrupted", { status: "CREATE_IN_PROGRESS" }],
    ["only a change set was made", { status: "REVIEW_IN_PROGRESS", deployed: {} }],
  ])("keeps what a first deployment creates: %s", async (_, stack) => {
    expect(await deploy(synthesized, stack)).toMatchObject({ code: 0 });
    expect(calls()).toEqual([`${command} --no-rollback`]);
  });

  it("deploys nothing that would lose a table, unless told", async () => {
    const deployed = { Resources: { ...template.Resources, CouponsTable: table } };
    const { code, errors } = await deploy(synthesized, { deployed });
    expect([code, errors]).toEqual([
      1,
      `${SERVICE_NAME}-dev would lose:\n- the table CouponsTable with its data\n` +
        "Nothing was deployed. Correct infra/stages, or repeat with --drop.\n",
    ]);
    expect(() => calls()).toThrow("ENOENT");
    const left = `${SERVICE_NAME}-dev-TodosTable-1A2B`;
    expect((await deploy(synthesized, { deployed: { Resources: {} }, tables: [left] })).errors).toContain(
      `- the table ${left} of an earlier version, for an empty one (the setting "tables")\n`,
    );

    expect(await deploy([...synthesized, "--drop"], { deployed })).toMatchObject({ code: 0 });
    expect(calls()).toEqual([command]);
  });

  it("deploys nothing that AWS would refuse in the middle of it, whatever it is told", async () => {
    const withIndexes = (...names: string[]) => {
      const Properties = { GlobalSecondaryIndexes: names.map((IndexName) => ({ IndexName })) };
      return { Resources: { TodosTable: { ...table, Properties } } };
    };
    synthesize(withIndexes("by-a", "by-b"));
    const args = [...synthesized, "--drop"];
    expect(await deploy(args)).toMatchObject({
      code: 1,
      errors:
        "AWS would refuse:\n- 2 indexes of TodosTable at once (by-a, by-b): create or remove one per deployment\nNothing was deployed.\n",
    });
    expect(() => calls()).toThrow("ENOENT");
    const cdk = spawnSync(join(directory, "npx"), command.split(" "), { cwd: directory, encoding: "utf8" });
    expect(cdk.stderr).toContain("more than one GSI creation or deletion");
    expect(await deploy(args, { deployed: withIndexes("by-a") })).toMatchObject({ code: 0 });
  });

  it.each([
    [{ Environment: { Variables: { A: "a".repeat(4_097) } } }, "exceeded the 4KB limit"],
    [{ Metrics: Array.from({ length: 11 }, () => ({ MetricStat: {} })) }, "at most 10 metrics"],
  ])("ends with an error where AWS refuses what was synthesized elsewhere", async (Properties, refusal) => {
    synthesize({ Resources: { ...template.Resources, Other: { Type: "AWS::Other", Properties } } });
    const { code, errors } = await deploy(synthesized);
    expect([code, errors]).toEqual([1, expect.stringContaining(refusal)]);
    expect(errors).toContain("cdk deploy failed.");
  });

  it("says what is missing or wrong", async () => {
    synthesize({ ...template, Outputs: { TodosTableInUse: { Value: `${SERVICE_NAME}-dev-none` } } });
    const failed = async (...args: readonly string[]) => {
      const { code, errors } = await deploy(args);
      return `${code}: ${errors}`;
    };
    expect(await failed(...synthesized)).toBe(
      `1: There is no table ${SERVICE_NAME}-dev-none (the setting "tables"). Nothing was deployed.\n`,
    );
    rmSync(join(directory, "cdk.out"), { recursive: true });
    expect(await failed(...synthesized)).toBe(
      `1: There is no ${templateFile}: synthesize the stage dev first.\n`,
    );
    expect(await failed("--stage", "test")).toMatch(
      /^2: --stage must be dev, prod, or a name such as dev-alice, not "test"\./,
    );
  });
});
