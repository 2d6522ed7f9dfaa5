import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { describe, expect, it } from "vitest";
import { createAliases } from "../../infra/rollout.ts";
import type { StageSettings } from "../../infra/settings/settings.ts";
import { resolveStage } from "../../infra/settings/stages.ts";
import { resourcesOf, stageTemplate } from "../support/infra/templates.ts";

const origins = "https://www.example.com";

describe("a rollout", () => {
  it("gives a tenth of prod's requests to each new version for five minutes, until its alarm goes off", () => {
    const template = stageTemplate("prod");
    const groups = resourcesOf(template, "AWS::CodeDeploy::DeploymentGroup");
    expect(groups).toHaveLength(resourcesOf(template, "AWS::Lambda::Alias").length);
    for (const [name, { Properties }] of groups) {
      expect(Properties.DeploymentConfigName, name).toBe("CodeDeployDefault.LambdaCanary10Percent5Minutes");
      expect(Properties.AutoRollbackConfiguration.Events).toContain("DEPLOYMENT_STOP_ON_ALARM");
      expect(JSON.stringify(Properties.AlarmConfiguration)).toContain("RolloutErrors");
    }
  });

  it("all at once leaves the aliases and nothing else", () => {
    const settings = { origins, alarmEmail: "none", access: "specified", rollout: "all-at-once" };
    expect(aliasesOf("prod", settings)).toEqual(["Accounts", "Login", "Users"]);
    expect(resolveStage("prod", settings).hasCanary).toBe(false);
  });

  it.each([
    ["user:1", "must name functions out of accounts, "],
    ["repair:1", "must name functions out of accounts, "],
    ["login:27", "must be at most 26 for login"],
  ])("refuses the provisioned concurrency %s", (provisionedConcurrency, message) => {
    const settings = { provisionedConcurrency, lambdaConcurrency: "260" };
    expect(() => aliasesOf("dev", settings)).toThrow(message);
  });
});

function aliasesOf(name: "dev" | "prod", settings: StageSettings): string[] {
  const stack = new Stack();
  const props = { runtime: Runtime.NODEJS_24_X, handler: "index.handler", code: Code.fromInline("0") };
  const names = ["accounts", "login", "users"];
  const invoked = new Map(names.map((each) => [each, new LambdaFunction(stack, each, props)]));
  createAliases(stack, resolveStage(name, settings), invoked);
  const aliases = resourcesOf(Template.fromStack(stack), "AWS::Lambda::Alias");
  return aliases.map(([id]) => id.replace(/Alias.*$/, ""));
}
