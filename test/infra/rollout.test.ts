import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { describe, expect, it } from "vitest";
import { routesByArea } from "../../functions/definitions.ts";
import { createAliases } from "../../infra/rollout.ts";
import type { StageSettings } from "../../infra/settings.ts";
import { resolveStage } from "../../infra/stages.ts";
import { pascalCase } from "../../lib/construct-ids.ts";
import { resourcesOf, stageTemplate } from "../support/infra/templates.ts";

const templates = { dev: stageTemplate("dev"), prod: stageTemplate("prod") };

describe("a rollout", () => {
  const aliases = (template: Template) =>
    resourcesOf(template, "AWS::Lambda::Alias").map(
      ([name, alias]) => [name.replace(/Alias.*$/, ""), alias] as const,
    );

  it("of prod sends each function's new version a tenth of the requests for five minutes, watched by an alarm", () => {
    const names = [...Object.keys(routesByArea), "fallback"].map(pascalCase).sort();
    const groups = new Map(resourcesOf(templates.prod, "AWS::CodeDeploy::DeploymentGroup"));
    const updates = aliases(templates.prod).map(([name, { UpdatePolicy }]) => {
      const { DeploymentGroupName } = UpdatePolicy?.CodeDeployLambdaAliasUpdate ?? {};
      return [name, groups.get(DeploymentGroupName.Ref)?.Properties] as const;
    });

    expect(updates.map(([name]) => name).sort()).toEqual(names);
    for (const [id, group] of updates)
      expect(group).toMatchObject({
        DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent5Minutes",
        AlarmConfiguration: {
          Enabled: true,
          Alarms: [{ Name: { Ref: expect.stringMatching(`^${id}RolloutErrors`) } }],
        },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"],
        },
      });
  });

  it("tries each new version with one request before it gets others", () => {
    const [trial] = resourcesOf(templates.prod, "AWS::Lambda::Function").filter(([id]) =>
      id.startsWith("Trial"),
    );
    for (const [, { UpdatePolicy }] of aliases(templates.prod))
      expect(UpdatePolicy.CodeDeployLambdaAliasUpdate.BeforeAllowTrafficHook).toEqual({ Ref: trial?.[0] });
    const trials = JSON.stringify(trial?.[1].Properties.Environment.Variables.TRIALS);
    for (const target of ["GET /health", "POST /auth/login", "GET /"])
      expect(trials).toContain(`${target}\\"`);
  });

  it("invokes every function of prod by its alias, and those of dev directly", () => {
    const targets = (stage: "dev" | "prod") =>
      resourcesOf(templates[stage], "AWS::ApiGatewayV2::Integration").map(
        ([, { Properties }]) => Properties.IntegrationUri,
      );
    for (const target of targets("prod"))
      expect(target).toEqual({ Ref: expect.stringMatching(/Alias[0-9A-F]{8}$/) });
    for (const target of targets("dev")) expect(target).toHaveProperty(["Fn::GetAtt"]);
  });

  it("has provisioned concurrency where it is set, in dev too", () => {
    const provisioned = (template: Template) =>
      aliases(template).flatMap(([name, { Properties }]) => {
        const { ProvisionedConcurrencyConfig: config } = Properties;
        return config ? [[name, config.ProvisionedConcurrentExecutions]] : [];
      });
    expect(provisioned(stageTemplate("configured"))).toEqual([
      ["Accounts", 2],
      ["Users", 1],
    ]);
    expect(provisioned(templates.prod)).toEqual([]);
    expect(aliases(rolloutOf("dev", { provisionedConcurrency: "users:3" }))).toMatchObject([
      ["Users", { Properties: { ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 3 } } }],
    ]);
  });

  it("all at once leaves the aliases and nothing else", () => {
    const template = rolloutOf("prod", { origins: "https://www.example.com", rollout: "all-at-once" });
    expect(aliases(template).map(([name]) => name)).toEqual(["Accounts", "Login", "Users"]);
    expect(
      resolveStage("prod", { origins: "https://www.example.com", rollout: "all-at-once" }).hasCanary,
    ).toBe(false);
  });

  it.each([
    ["user:1", "must name functions out of accounts, "],
    ["repair:1", "must name functions out of accounts, "],
    ["login:27", "must be at most 26 for login"],
  ])("refuses the provisioned concurrency %s", (provisionedConcurrency, message) => {
    const settings = { provisionedConcurrency, lambdaConcurrency: "260" };
    expect(() => rolloutOf("dev", settings)).toThrow(message);
  });
});

/** The aliases of two functions, and their deployment groups. */
function rolloutOf(name: "dev" | "prod", settings: StageSettings): Template {
  const stack = new Stack();
  const stage = resolveStage(name, settings);
  const create = (id: string) =>
    new LambdaFunction(stack, id, {
      runtime: Runtime.NODEJS_24_X,
      handler: "index.handler",
      code: Code.fromInline("0"),
    });
  const names = ["accounts", "login", "users"];
  const invoked = new Map(names.map((each) => [each, create(each)]));
  const targets = createAliases(stack, stage, { invoked, repair: create("repair") });
  expect([...targets.keys()]).toEqual(names);
  return Template.fromStack(stack);
}
