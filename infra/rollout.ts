import { ArnFormat, type CfnElement, Duration, type Stack, Validations } from "aws-cdk-lib";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Alias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from "aws-cdk-lib/aws-lambda";
import { planOf } from "../functions/trial-requests.ts";
import { pascalCase } from "../lib/construct-ids.ts";
import { allow, createLambda, type Functions, inlineCode } from "./functions.ts";
import type { Targets } from "./gateway/gateway.ts";
import { reservedConcurrency } from "./lambdas.ts";
import { rolloutAlarm } from "./monitoring/alarms.ts";
import { SettingError } from "./settings/settings.ts";
import type { Stage } from "./settings/stages.ts";
import { requiredTable, type Tables } from "./tables.ts";
import { visitorAccount } from "./visitor.ts";

/**
 * The alias `live` of each invoked function, in stages that have aliases, or with provisioned concurrency.
 *
 * @throws SettingError when a function with provisioned concurrency does not exist, or reserves less
 */
export function createAliases(stack: Stack, stage: Stage, invoked: Functions): Targets {
  const unknown = [...stage.provisionedConcurrency.keys()].find((name) => !invoked.has(name));
  if (unknown !== undefined)
    throw new SettingError(
      "provisionedConcurrency",
      `must name functions out of ${[...invoked.keys()].join(", ")}, not "${unknown}"`,
    );
  const targets = [...invoked].map(([name, lambda]): [string, IFunction] => {
    const provisioned = stage.provisionedConcurrency.get(name);
    const reserved = reservedConcurrency(name, stage);
    if (provisioned !== undefined && reserved !== undefined && provisioned > reserved)
      throw new SettingError(
        "provisionedConcurrency",
        `must be at most ${reserved} for ${name}, which reserves no more, not ${provisioned}`,
      );
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

/** Rolls new versions out after a trial, and back if an alarm goes off (docs/adr/0018). */
export function deployGradually(
  stack: Stack,
  stage: Stage,
  targets: Targets,
  tables: Tables,
  visitor: LambdaFunction | undefined,
): LambdaApplication {
  const application = new LambdaApplication(stack, "Rollout");
  const role = new Role(stack, "RolloutRole", {
    assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
  });
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]",
    reason: "AWS maintains what CodeDeploy needs to shift the traffic of functions",
  });
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM5[Resource::<TrialFunction5B5EE5A7.Arn>:*]",
    reason: "It may invoke the trial in any version, of which there is one",
  });
  // AWS does not divide the requests of an alias with provisioned concurrency, which is updated at once.
  const aliases = new Map(
    [...targets].flatMap(([name, target]) =>
      target instanceof Alias && !stage.provisionedConcurrency.has(name) ? [[name, target] as const] : [],
    ),
  );
  const preHook = createTrial(stack, stage, application, aliases, tables, visitor);
  for (const [name, alias] of aliases) {
    new LambdaDeploymentGroup(stack, `${pascalCase(name)}Rollout`, {
      application,
      role,
      alias,
      deploymentGroupName: groupName(stack, name),
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      preHook,
      alarms: [rolloutAlarm(stack, stage, name, alias)],
      autoRollback: { deploymentInAlarm: true, failedDeployment: true },
    });
  }
  return application;
}

function groupName(stack: Stack, name: string): string {
  return `${stack.stackName}-${name}`;
}

function createTrial(
  stack: Stack,
  stage: Stage,
  application: LambdaApplication,
  aliases: ReadonlyMap<string, Alias>,
  tables: Tables,
  visitor: LambdaFunction | undefined,
): LambdaFunction {
  const plan = planOf(stack.stackName, [...aliases.keys()], stage.access);
  const records = Object.assign({}, ...Object.values(plan.areas).map((area) => area.records));
  const tableNames = Object.keys(records).map((name) => [name, requiredTable(tables, name).tableName]);
  const versions = [...aliases].map(([name, { lambda, version }]) => [
    name,
    `${lambda.functionName}:${version.version}`,
  ]);
  const hasAccount = visitor && Object.keys(stage.access).length > 0;
  const trial = createLambda(stack, stage, "trial", {
    description: "tries new versions of functions",
    code: inlineCode("trial", plan),
    memorySize: 128,
    // Of many requests, each of them at most as long as the functions' own.
    timeout: Duration.minutes(10),
    environment: {
      VERSIONS: stack.toJsonString(Object.fromEntries(versions)),
      TABLES: stack.toJsonString(Object.fromEntries(tableNames)),
      ...(hasAccount && { LOGIN: stack.toJsonString(visitorAccount(stack)) }),
      ...(visitor && { VISITOR: visitor.functionName }),
    },
  });
  for (const [name, { pk }] of Object.entries(records as Record<string, { pk: string }>))
    allow(trial, ["dynamodb:PutItem"], [requiredTable(tables, name).tableArn], {
      "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": [pk] },
    });
  const groups = stack.formatArn({
    service: "codedeploy",
    resource: "deploymentgroup",
    resourceName: `${application.applicationName}/*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  allow(trial, ["codedeploy:GetDeployment", "codedeploy:PutLifecycleEventHookExecutionStatus"], [groups]);
  Validations.of(trial.role ?? trial).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:codedeploy:<AWS::Region>:<AWS::AccountId>:deploymentgroup:<${stack.getLogicalId(application.node.defaultChild as CfnElement)}>/*]`,
    reason: "The groups of its own application: with each named, a policy would end at some twelve functions",
  });
  // Of all versions and the alias, which waits for the trial: a grant on the new one would be seconds old.
  const invoked = [...aliases.values()].map(({ lambda }) => `${lambda.functionArn}:*`);
  allow(trial, ["lambda:InvokeFunction"], [...invoked, ...(visitor ? [visitor.functionArn] : [])]);
  for (const { lambda } of aliases.values())
    Validations.of(trial.role ?? trial).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${stack.getLogicalId(lambda.node.defaultChild as CfnElement)}.Arn>:*]`,
      reason: "It tries every version before that one gets requests",
    });
  return trial;
}
