import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runProgram } from "../support/programs/program.ts";

const outdir = mkdtempSync(join(tmpdir(), "pipeline-test-"));
afterAll(() => rmSync(outdir, { recursive: true }));

/** Synthesizes like the CDK CLI, which passes the context in an environment variable. */
function synthesize(context: Readonly<Record<string, string>>) {
  const environment = {
    CDK_CONTEXT_JSON: JSON.stringify(context),
    CDK_OUTDIR: outdir,
    CDK_VALIDATION: "false",
  };
  return runProgram("infra/main.ts", [], { environment });
}

/** The context that the deploy workflow passes for these repository variables; others are empty. */
function contextOf(variables: Readonly<Record<string, string>>): Record<string, string> {
  const workflow = readFileSync(".github/workflows/deploy-stage.yml", "utf8");
  const [, command = ""] = /name: Deploy\n +run: >-\n((?: {10}.*\n)+)/.exec(workflow) ?? [];
  expect(command).toContain("npx cdk deploy");
  const script = `npx() { printf '%s\\0' "$@"; }; ${command.replaceAll("\n", " ")}`;
  const env = { PATH: process.env.PATH, ORIGINS: "", LAMBDA_CONCURRENCY: "", ...variables };
  const args = execFileSync("bash", ["-c", script], { encoding: "utf8", env, stdio: "pipe" }).split("\0");
  const pairs = args.flatMap((arg, i) => (args[i - 1] === "-c" ? [arg.split("=")] : []));
  return Object.fromEntries(pairs.map(([name, ...value]) => [name, value.join("=")]));
}

describe("the pipeline", () => {
  it("deploys dev with only the stage as a variable", async () => {
    const context = contextOf({ STAGE: "dev" });
    expect(context.stage).toBe("dev");
    expect(await synthesize(context)).toMatchObject({ code: 0, errors: "" });
  });

  it("deploys prod with origins, but not without", async () => {
    const ORIGINS = "https://www.example.com,https://shop.example.com";
    expect(await synthesize(contextOf({ STAGE: "prod", ORIGINS }))).toMatchObject({ code: 0 });
    expect(await synthesize(contextOf({ STAGE: "prod" }))).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^-c origins=… is required for prod: .*\n$/),
    });
  });

  it("stores no credentials, and only deployments can request a token", () => {
    for (const name of readdirSync(".github/workflows")) {
      const workflow = readFileSync(join(".github/workflows", name), "utf8");
      expect(workflow).not.toMatch(/aws-access-key-id|AWS_SECRET_ACCESS_KEY/);
      expect(workflow).toMatch(/^permissions:\n {2}contents: read\n/m);
      expect(workflow.includes("id-token: write")).toBe(name !== "ci.yml");
    }
  });
});

describe("the context", () => {
  it("rejects unknown settings, but not the keys of CDK", async () => {
    expect(await synthesize({ origin: "https://www.example.com" })).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^-c origin=… is unknown; the settings are stage, origins, .*\n$/),
    });
    expect(
      await synthesize({ "cli-telemetry": "false", "aws:cdk:enable-path-metadata": "true" }),
    ).toMatchObject({
      code: 0,
    });
  });
});
