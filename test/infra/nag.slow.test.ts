import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { afterAll, describe, expect, it } from "vitest";
import { createApp } from "../../infra/app.ts";
import { configuredStage } from "../support/infra/assembly.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

// The other tests synthesize without validation, which takes several times as long as the synthesis.
delete process.env.CDK_VALIDATION;
const outdir = temporaryDirectory(afterAll);

describe.each([
  ["dev", { stage: "dev" }],
  ["prod with every setting", configuredStage],
])("the stack of %s", (name, props) => {
  it("passes the AWS Solutions checks, except for findings acknowledged with a reason", async () => {
    const app = await createApp({ ...props, outdir: join(outdir, name) });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    app.synth();

    const { pluginReports } = JSON.parse(readFileSync(join(outdir, name, "validation-report.json"), "utf8"));
    // Errors end the synthesis; warnings would be in the report.
    expect(pluginReports).toEqual([]);
  });
});
