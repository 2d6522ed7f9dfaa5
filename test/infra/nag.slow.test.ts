import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { afterAll, expect, it } from "vitest";
import { createApp } from "../../infra/app.ts";
import { configuredStage } from "../support/infra/assembly.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

delete process.env.CDK_VALIDATION;
const outdir = temporaryDirectory(afterAll);

// Each synthesis by the CDK CLI checks its stage, too (infra/main.ts).
it("prod with every setting passes the AWS Solutions checks, except for acknowledged findings", async () => {
  const app = await createApp({ ...configuredStage, outdir });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();

  const { pluginReports } = JSON.parse(readFileSync(join(outdir, "validation-report.json"), "utf8"));
  // Errors end the synthesis; warnings would be in the report.
  expect(pluginReports).toEqual([]);
});
