import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const outdir = temporaryDirectory(afterAll);

// Its versions read assemblies up to some version, and aws-cdk-lib writes newer ones without a word.
it("the CDK's command-line program synthesizes the stack", () => {
  const args = ["node_modules/aws-cdk/bin/cdk", "synth", "--quiet", "--no-notices", "--output", outdir];
  const env = { ...process.env, CDK_DISABLE_CLI_TELEMETRY: "true", CDK_DISABLE_VERSION_CHECK: "true" };
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });

  expect(status, stderr).toBe(0);
  expect(readdirSync(outdir)).toContain("resource-api-dev.template.json");
});
