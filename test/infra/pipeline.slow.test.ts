import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runProgram } from "../support/programs/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const outdir = temporaryDirectory(afterAll);

/** Synthesizes like the CDK CLI, which passes the context in an environment variable. */
function synthesize(context: Readonly<Record<string, string>>) {
  const environment = {
    CDK_CONTEXT_JSON: JSON.stringify(context),
    CDK_OUTDIR: outdir,
    CDK_VALIDATION: "false",
  };
  return runProgram("infra/main.ts", [], { environment });
}

/** The context that `.ci/cdk` passes for these variables; others are unset. */
function contextOf(variables: Readonly<Record<string, string>>): Record<string, string> {
  const args = runScript(".ci/cdk", ["deploy"], variables).calls[0] ?? [];
  expect(args.slice(0, 3)).toEqual(["npx", "cdk", "deploy"]);
  const pairs = args.flatMap((arg, i) => (args[i - 1] === "-c" ? [arg.split("=")] : []));
  return Object.fromEntries(pairs.map(([name, ...value]) => [name, value.join("=")]));
}

/**
 * Runs a script of the pipeline with programs that only record how they are called.
 *
 * @param gh prints what GitHub's CLI would, as a script
 */
function runScript(
  script: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  gh = "",
) {
  const directory = mkdtempSync(join(outdir, "script-"));
  const log = join(directory, "calls");
  for (const program of ["npx", "npm", "git", "gh"]) {
    const output = program === "gh" ? gh : "";
    const recorded = `printf '%s\\n' "$(printf '%s\\t' ${program} "$@")" >> ${log}\n${output}\n`;
    writeFileSync(join(directory, program), `#!/bin/sh\n${recorded}`, { mode: 0o755 });
  }
  const env = { PATH: `${directory}:${process.env.PATH}`, ...variables };
  const { status, stderr } = spawnSync("bash", [script, ...args], { encoding: "utf8", env });
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
  return { status, stderr, calls: lines.map((line) => line.split("\t").slice(0, -1)) };
}

const workflows = Object.fromEntries(
  readdirSync(".github/workflows").map((name) => [
    name,
    readFileSync(join(".github/workflows", name), "utf8"),
  ]),
);

describe("the pipeline", () => {
  it("deploys dev with only the stage as a variable, beside the CDK CLI's own keys", async () => {
    const context = contextOf({ STAGE: "dev" });
    expect(context.stage).toBe("dev");
    const keys = { "cli-telemetry": "false", "aws:cdk:enable-path-metadata": "true" };
    expect(await synthesize({ ...context, ...keys })).toMatchObject({ code: 0, errors: "" });
  });

  it("deploys prod with origins, but not without", async () => {
    const ORIGINS = "https://www.example.com,https://shop.example.com";
    expect(await synthesize(contextOf({ STAGE: "prod", ORIGINS }))).toMatchObject({ code: 0 });
    expect(await synthesize(contextOf({ STAGE: "prod" }))).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^-c origins=… is required for prod: .*\n$/),
    });
  });

  it("passes every variable of .ci/cdk, and documents it", () => {
    const variables = [...readFileSync(".ci/cdk", "utf8").matchAll(/\$\{([A-Z_]+):-\}/g)].map(
      ([, name]) => name,
    );
    const page = readFileSync("docs/deployment.md", "utf8");
    expect(variables.length).toBeGreaterThan(5);
    for (const name of variables.filter((each) => each !== "ROLLOUT")) {
      for (const file of ["deploy.yml", "deploy-stage.yml"])
        expect(workflows[file]).toContain(`${name}: \${{ vars.${name} }}`);
      expect(page).toMatch(new RegExp(`^\\|.*\`${name}\``, "m"));
    }
  });

  it("stores no credentials, grants permissions per job, and pins every action", () => {
    for (const workflow of Object.values(workflows)) {
      expect(workflow).not.toMatch(/aws-access-key-id|AWS_SECRET_ACCESS_KEY|secrets: inherit/);
      expect(workflow).toMatch(/^permissions: \{\}\n/m);
      const [, ...jobs] = workflow.slice(workflow.indexOf("\njobs:\n")).split(/\n {2}(?=[a-z]+:\n)/);
      expect(jobs.length).toBeGreaterThan(0);
      for (const job of jobs) expect(job).toMatch(/^ {4}permissions:\n {6}contents: read\n/m);
      for (const [, version] of workflow.matchAll(/uses: [\w-]+\/[\w-]+@(.*)/g))
        expect(version).toMatch(/^v\d+\.\d+\.\d+$/);
    }
    expect(workflows["ci.yml"]).not.toContain("id-token");
  });

  it("tests prod by reading only, after it has shown what would change", () => {
    expect(workflows["deploy-stage.yml"]).toContain('$([ "$STAGE" != prod ] || echo --read-only)');
    const [, diff] = (workflows["deploy.yml"] ?? "").split("- name: Diff\n");
    expect(diff).toMatch(/\.ci\/cdk diff --method=template/);
    // GitHub's `bash` has pipefail, its default shell does not.
    expect(diff).toMatch(/^ {8}shell: bash$/m);
    expect(workflows["deploy.yml"]).toMatch(/\n {2}prod:\n {4}needs: \[dev, diff\]\n/);
  });

  const rollback = { STAGE: "prod", GITHUB_REPOSITORY: "o/r", GITHUB_SHA: "new" };

  it("returns to the newest commit whose deployment succeeded, at once", () => {
    const gh = `case "$2" in
      *environment=prod*) printf '9 new\\n8 broken\\n7 good\\n6 old\\n' ;;
      */8/*) echo false ;;
      *) echo true ;;
    esac`;
    const { status, calls } = runScript(".ci/roll-back", [], rollback, gh);

    expect(status).toBe(0);
    const steps = calls.filter(([program]) => program !== "gh").map((call) => call.slice(0, 3).join(" "));
    expect(steps).toEqual(["git fetch --quiet", "git checkout --quiet", "npm ci", "npx cdk deploy"]);
    expect(calls.find(([, command]) => command === "checkout")).toContain("good");
    expect(calls.at(-1)).toContain("rollout=all-at-once");
  });

  it("says that there is nothing to return to", () => {
    const { status, stderr, calls } = runScript(".ci/roll-back", [], rollback, "[ $2 = x ] || echo 9 new");
    expect(status).toBe(1);
    expect(stderr).toBe("There is no earlier deployment of prod to return to\n");
    expect(calls.map(([program]) => program)).toEqual(["gh"]);
  });
});

it("the context rejects unknown settings", async () => {
  expect(await synthesize({ origin: "https://www.example.com" })).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^-c origin=… is unknown; the settings are stage, origins, .*\n$/),
  });
});
