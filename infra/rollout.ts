import { type Stack, Validations } from "aws-cdk-lib";
import type { IAlarm } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Alias, type IFunction, type IVersion } from "aws-cdk-lib/aws-lambda";
import { pascalCase } from "../lib/construct-ids.ts";
import type { Functions } from "./functions.ts";
import { reservedConcurrency } from "./lambdas.ts";
import { SettingError } from "./settings.ts";
import type { Stage } from "./stages.ts";

/** What the gateway invokes, by the name of the function's folder: its alias, or the function itself. */
export type Targets = ReadonlyMap<string, IFunction>;

/**
 * The alias `live` of each function that the gateway invokes, in stages that have aliases, and for functions with
 * provisioned concurrency in all stages.
 *
 * @throws SettingError when a function with provisioned concurrency does not exist, or reserves less
 */
export function createAliases(stack: Stack, stage: Stage, { invoked }: Functions): Targets {
  const unknown = [...stage.provisionedConcurrency.keys()].find((name) => !invoked.has(name));
  if (unknown !== undefined)
    throw new SettingError(
      "provisionedConcurrency",
      `must name functions out of ${[...invoked.keys()].join(", ")}, not "${unknown}"`,
    );
  const targets = [...invoked].map(([name, lambda]): [string, IFunction] => {
    const provisioned = provisionedFor(stage, name);
    if (!stage.hasAliases && provisioned === undefined) return [name, lambda];
    const alias = new Alias(stack, `${pascalCase(name)}Alias`, {
      aliasName: "live",
      version: lambda.currentVersion as IVersion,
      ...(provisioned !== undefined && { provisionedConcurrentExecutions: provisioned }),
    });
    return [name, alias as IFunction];
  });
  return new Map(targets);
}

/**
 * Sends new versions of the functions a tenth of the requests for five minutes, and returns to the versions before if
 * the alarm goes off (docs/adr/0018).
 */
export function deployGradually(stack: Stack, targets: Targets, alarm: IAlarm): void {
  const application = new LambdaApplication(stack, "Rollout");
  const role = new Role(stack, "RolloutRole", {
    assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
  });
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]",
    reason: "AWS maintains what CodeDeploy needs to shift the traffic of functions",
  });
  for (const [name, alias] of targets) {
    if (!(alias instanceof Alias)) continue;
    new LambdaDeploymentGroup(stack, `${pascalCase(name)}Rollout`, {
      application,
      role,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [alarm],
      autoRollback: { deploymentInAlarm: true, failedDeployment: true },
    });
  }
}

function provisionedFor(stage: Stage, name: string): number | undefined {
  const provisioned = stage.provisionedConcurrency.get(name);
  const reserved = reservedConcurrency(name, stage);
  if (provisioned !== undefined && reserved !== undefined && provisioned > reserved)
    throw new SettingError(
      "provisionedConcurrency",
      `must be at most ${reserved} for ${name}, which reserves no more, not ${provisioned}`,
    );
  return provisioned;
}
