import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { ACCOUNT, decide, statementsOf } from "../support/infra/policies.ts";
import { runProgram } from "../support/programs/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const outdir = temporaryDirectory(afterAll);

/** Runs a script in a directory of its own. Programs record how they are called, and print what a test lets them. */
function runScript(
  [script = "", ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  programs: { readonly gh?: string; readonly aws?: string; readonly git?: string },
  files: Readonly<Record<string, object | string>> = {},
) {
  const directory = mkdtempSync(join(outdir, "script-"));
  cpSync(".ci", join(directory, ".ci"), { recursive: true });
  for (const folder of ["cdk.out", "client"]) mkdirSync(join(directory, folder));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(directory, name), typeof content === "string" ? content : JSON.stringify(content));
  const log = join(directory, "calls");
  writeFileSync(log, "");
  for (const [program, output] of Object.entries({
    npx: "",
    npm: "",
    git: "",
    gh: "",
    aws: "",
    ...programs,
  })) {
    const recorded = `printf '%s\\n' "$(printf '%s\\t' ${program} "$@")" >> ${log}\n${output}\n`;
    writeFileSync(join(directory, program), `#!/bin/sh\n${recorded}`, { mode: 0o755 });
  }
  const env = { PATH: `${directory}:${process.env.PATH}`, ...variables };
  const command = [join(directory, script), ...args];
  const { status, stdout, stderr } = spawnSync("bash", command, { encoding: "utf8", env });
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
  return { status, stdout, stderr, calls: lines.map((line) => line.split("\t").slice(0, -1)) };
}

const workflow = (name: string) => readFileSync(join(".github/workflows", name), "utf8");

describe("the pipeline", () => {
  it("stores no credentials, grants permissions per job, and pins every action", () => {
    for (const text of readdirSync(".github/workflows").map(workflow)) {
      expect(text).not.toMatch(/aws-access-key-id|AWS_SECRET_ACCESS_KEY|secrets: inherit/);
      expect(text).toMatch(/^permissions: \{\}\n/m);
      const [, ...jobs] = text.slice(text.indexOf("\njobs:\n")).split(/\n {2}(?=[a-z]+:\n)/);
      expect(jobs.length).toBeGreaterThan(0);
      // Only a release writes: its notes and its package.
      for (const job of jobs) {
        const permissions = job.includes("gh release create") ? "write\n {4}\\w" : "read\n";
        expect(job).toMatch(RegExp(`^ {4}permissions:\n {6}contents: ${permissions}`, "m"));
      }
      for (const [, version] of text.matchAll(/uses: [\w-]+\/[\w-]+@(.*)/g))
        expect(version).toMatch(/^[\da-f]{40} # v\d+\.\d+\.\d+$/);
      // Whoever can publish a package that is installed could use the credentials.
      for (const job of jobs.filter((each) => each.includes("id-token: write")))
        expect(job).not.toMatch(/npm (ci|install)(?! --ignore-scripts)/);
    }
    expect(workflow("ci.yml")).not.toContain("id-token");
  });

  it("deploys prod after dev, and after it has shown what would change", () => {
    const [, diff] = workflow("deploy-stage.yml").split("- name: Diff\n");
    expect(diff).toMatch(/cdk diff --app cdk.out --method=template/);
    // GitHub's `bash` has pipefail, its default shell does not.
    expect(diff).toMatch(/^ {8}shell: bash$/m);
    expect(workflow("deploy-stage.yml")).toMatch(/\n {2}deploy:\n {4}needs: \[synthesize, diff\]\n/);
    expect(workflow("deploy.yml")).toMatch(/\n {2}prod:\n {4}needs: dev\n/);
  });

  // Its encoded form has a second line.
  const token = "a-token-that-is-long-enough-for-base64-to-begin-a-second-line-of-its-output";
  const rollback = { STAGE: "prod", GITHUB_REPOSITORY: "o/r", GITHUB_SHA: "new", GH_TOKEN: token };

  const gh = `case "$2" in
    *environment=prod*) printf '9 new\\n8 broken\\n7 good\\n6 old\\n' ;;
    */8/*) echo false ;;
    *) echo true ;;
  esac`;
  const git = 'echo "git: $GIT_CONFIG_KEY_0=$GIT_CONFIG_VALUE_0"';
  const stackName = `${SERVICE_NAME}-prod`;
  const rollBack = (deployed: object, earlier: object) => {
    const template = { Resources: { OrdersTable315BB997: {} }, ...earlier };
    return runScript(
      [".ci/roll-back"],
      rollback,
      { gh, git },
      {
        "cdk.out/outputs.json": { [stackName]: deployed },
        [`cdk.out/${stackName}.template.json`]: template,
      },
    );
  };
  /** @param relation of the new commit to the one that is deployed */
  const refuseOlder = (relation: string, comparedWith = "") => {
    const comparing = `case "$2" in *compare/good...new) echo ${relation}; exit;; esac\n${gh}`;
    return runScript([".ci/refuse-older"], { ...rollback, COMPARED_WITH: comparedWith }, { gh: comparing });
  };

  it("returns to the newest commit whose deployment succeeded, at once", () => {
    const { status, stdout, calls } = rollBack({ Url: "https://api.example.com" }, {});

    expect(status).toBe(0);
    // As a private repository needs it, for the fetch alone.
    const credentials = Buffer.from(`x-access-token:${token}`).toString("base64");
    const fetching = `git: http.extraHeader=Authorization: Basic ${credentials}`;
    expect(stdout.match(/^git: .*$/gm)).toEqual([fetching, "git: ="]);
    const steps = calls.filter(([program]) => program !== "gh").map((call) => call.slice(0, 3).join(" "));
    const inGit = ["git fetch --quiet", "git checkout --quiet"];
    expect(steps).toEqual([...inGit, "npm ci --ignore-scripts", "npx cdk synth", "npm run deploy"]);
    expect(calls.find(([, command]) => command === "checkout")).toContain("good");
    expect(calls.at(-2)).toEqual(expect.arrayContaining(["stage=prod", "rollout=all-at-once"]));
    // Without --drop: a return that would lose a table or an index deploys nothing.
    expect(calls.at(-1)?.slice(4)).toEqual(["--stage", "prod", "--synthesized", "--yes"]);
  });

  it("keeps the restored tables and other secrets that the stage uses, of those that the earlier commit has", () => {
    const restored = `${stackName}-orders-restored`;
    const others = { NewTableInUse: `${stackName}-new`, SigningSecretsInUse: "arn:of:secret" };
    const { status, calls } = rollBack({ OrdersTableInUse: restored, ...others }, {});

    expect(status).toBe(0);
    const kept = [`tables=orders:${restored}`, "secrets=SigningSecrets:arn:of:secret"];
    expect(calls.at(-2)).toEqual(expect.arrayContaining(kept));
    expect(calls.at(-1)).toContain("--synthesized");
  });

  it("does not return to restored tables that the stage no longer uses", () => {
    const { status, stderr, calls } = rollBack({}, { Outputs: { OrdersTableInUse: {} } });
    const refusal = "good uses restored tables, and what is deployed does not: deploy by hand\n";
    expect([status, stderr]).toEqual([1, refusal]);
    expect(calls.flat()).not.toContain("deploy");
  });

  const older = "new does not descend from good, which was deployed to prod: run the newest commit again\n";
  const others = "The differences were shown from old, and good was deployed to prod since: run again\n";

  it.each([
    ["ahead", "", ""],
    ["behind", "", older],
    ["diverged", "", older],
    ["ahead", "good", ""],
    ["ahead", "old", others],
  ])("a commit %s of the deployed one, compared with %j, is refused with %j", (relation, from, refusal) => {
    const { status, stderr } = refuseOlder(relation, from);
    expect([status, stderr]).toEqual([refusal === "" ? 0 : 1, refusal]);
  });

  it("refuses older commits, and approvals of other differences, before it deploys", () => {
    const [, diff = "", deploy = ""] = workflow("deploy-stage.yml").split(/\n {2}(?:diff|deploy):\n/);
    expect(deploy.indexOf(".ci/refuse-older")).toBeLessThan(deploy.indexOf("npm run deploy"));
    expect(deploy).toContain("- run: .ci/refuse-older\n");
    expect(diff).toMatch(/compared-with: \$\{\{ steps\.deployed\.outputs\.commit \}\}/);
    expect(deploy).toMatch(/COMPARED_WITH: \$\{\{ needs\.diff\.outputs\.compared-with \}\}/);
  });

  it("deletes the stage of a closed pull request, and those that were not deployed for a week", () => {
    const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000).toISOString();
    const StackSummaries = [
      { StackName: `${SERVICE_NAME}-dev`, CreationTime: days(90) },
      { StackName: `${SERVICE_NAME}-dev-alice`, CreationTime: days(90) },
      { StackName: `${SERVICE_NAME}-dev-pr7`, CreationTime: days(90), LastUpdatedTime: days(8) },
      { StackName: `${SERVICE_NAME}-dev-pr8`, CreationTime: days(90), LastUpdatedTime: days(6) },
      { StackName: `${SERVICE_NAME}-dev-pr9`, CreationTime: days(8) },
      { StackName: "other-dev-pr7", CreationTime: days(90) },
    ];
    const deleted = (variables: Readonly<Record<string, string>>) => {
      const aws = `[ "$2" != list-stacks ] || echo '${JSON.stringify({ StackSummaries })}'`;
      const files = { "package.json": { name: SERVICE_NAME } };
      const { status, calls } = runScript([".ci/delete-previews"], variables, { aws }, files);
      expect(status).toBe(0);
      return calls.flatMap(([, , command, , name]) => (command === "delete-stack" ? [name] : []));
    };
    expect(deleted({})).toEqual([`${SERVICE_NAME}-dev-pr7`, `${SERVICE_NAME}-dev-pr9`]);
    expect(deleted({ PULL_REQUEST: "8" })).toEqual([`${SERVICE_NAME}-dev-pr8`]);
  });

  it("gives no fork's pull request credentials, and a release the changelog's section of its tag", () => {
    for (const job of workflow("preview.yml")
      .split(/\n {2}(?=synthesize:|delete:)/)
      .slice(1))
      expect(job).toContain("github.event.pull_request.head.repo.full_name == github.repository");
    const notes = (tag: string, changelog: string) => {
      const versions = { "package.json": { version: "1.2.3" }, "client/package.json": { version: "1.2.3" } };
      return runScript([".ci/release-notes", tag], {}, {}, { ...versions, "CHANGELOG.md": changelog });
    };
    const section = "## [Unreleased]\n\n## [1.2.3] - 2026-12-01\n\nNew.\n\n## [1.2.2] - 2026-11-30\n\nOld.\n";
    expect(notes("v1.2.3", section)).toMatchObject({ status: 0, stdout: "\nNew.\n" });
    expect(notes("v1.2.4", section).stderr).toBe("package.json has the version 1.2.3, not 1.2.4\n");
    const { stderr } = notes("v1.2.3", "## [Unreleased]\n");
    expect(stderr).toBe("CHANGELOG.md has no section [1.2.3] with a date\n");
  });

  it("deploys for the first time, and says that there is nothing to return to", () => {
    const first = { gh: "[ $2 = x ] || echo 9 new" };
    expect(runScript([".ci/refuse-older"], rollback, first).status).toBe(0);
    const files = { "cdk.out/outputs.json": {} };
    const { status, stderr, calls } = runScript([".ci/roll-back"], rollback, first, files);
    expect([status, stderr]).toEqual([1, "There is no earlier deployment of prod to return to\n"]);
    expect(calls.map(([program]) => program)).toEqual(["gh"]);
  });
});

const here = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:${ACCOUNT}:${resource}`;
const deployRole = (qualifier: string) =>
  `arn:aws:iam::${ACCOUNT}:role/cdk-${qualifier}-deploy-role-${ACCOUNT}-eu-west-1`;
const table = here("dynamodb", `table/${SERVICE_NAME}-prod-TodosTable250330D8-1A`);
const [stack = "", devStack = ""] = ["prod", "dev"].map((stage) =>
  here("cloudformation", `stack/${SERVICE_NAME}-${stage}/1`),
);

const lambda = here("lambda", `function:${SERVICE_NAME}-prod-Todos-1`);
const logGroup = here("logs", `log-group:${SERVICE_NAME}-prod-1`);
const reads = "dynamodb:GetItem, dynamodb:Scan, dynamodb:Query";

/** What the roles of stages and of prod's differences, and dev's role in prod's account may not do. */
it.each<[string, string, string, string]>([
  ["deploy", "sts:AssumeRole", deployRole("raprod"), "implicitly denied"],
  ["deploy", reads, table, "implicitly denied"],
  ["diff", reads, table, "implicitly denied"],
  ["diff", "logs:GetLogEvents", logGroup, "implicitly denied"],
  ["diff", "secretsmanager:GetSecretValue", here("secretsmanager", "secret:ApiKeys-1"), "implicitly denied"],
  ["diff", "sts:AssumeRole", deployRole("hnb659fds"), "implicitly denied"],
  ["diff", "cloudformation:UpdateStack", stack, "implicitly denied"],
  ["not-prod", "cloudformation:CreateChangeSet", stack, "explicitly denied"],
  ["not-prod", "dynamodb:DeleteTable", table, "explicitly denied"],
  ["not-prod", "lambda:UpdateFunctionCode", lambda, "explicitly denied"],
  ["not-prod", "sts:AssumeRole", deployRole("raprod"), "explicitly denied"],
  ["not-prod", "cloudformation:CreateChangeSet", devStack, "implicitly denied"],
])("by docs/policies/%s.json %s of %s is %s", (name, actions, resource, expected) => {
  for (const action of actions.split(", "))
    expect(decide(statementsOf(name), { action, resource }), action).toBe(expected);
});

it("the context rejects unknown settings", async () => {
  const environment = { CDK_CONTEXT_JSON: '{"origin":"https://www.example.com"}', CDK_OUTDIR: outdir };
  expect(await runProgram("infra/main.ts", [], { environment })).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^-c origin=… is unknown; the settings are stage, access, .*\n$/),
  });
});
