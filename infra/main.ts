import { Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { createApp } from "./app.ts";
import { settings as dev } from "./stages/dev.ts";
import { settings as prod } from "./stages/prod.ts";

// The CDK CLI runs this file (cdk.json).
try {
  const app = await createApp({}, { dev, prod });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
