import { readFileSync } from "node:fs";
import { ArnFormat, Duration, type Stack, Validations } from "aws-cdk-lib";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Alias,
  Code,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from "aws-cdk-lib/aws-lambda";
import { definitions, routesByArea } from "../functions/definitions.ts";
import { firstPage, toRequest } from "../functions/example-requests.ts";
import { pascalCase } from "../lib/construct-ids.ts";
import { createLambda, type Functions } from "./functions.ts";
import { reservedConcurrency } from "./lambdas.ts";
import { rolloutAlarm } from "./monitoring/alarms.ts";
import { SettingError } from "./settings.ts";
import type { Stage } from "./stages.ts";

/** What the gateway invokes, by the name of the function's folder: its alias, or the function itself. */
export type Targets = ReadonlyMap<string, IFunction>;

/**
 * The alias `live` of each invoked function, in stages that have aliases, or with provisioned concurrency.
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
  const preHook = createTrial(stack, stage, application, aliases, visitor);
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
  { applicationName }: LambdaApplication,
  aliases: ReadonlyMap<string, Alias>,
  visitor: LambdaFunction | undefined,
): LambdaFunction {
  const versions = [...aliases].map(([name, { version }]) => [
    groupName(stack, name),
    version.functionArn,
    trialRequest(name),
  ]);
  const trial = createLambda(stack, stage, "trial", {
    description: "tries new versions of functions",
    // Small enough to be part of the template. Lambda's runtime has the clients that it uses.
    code: Code.fromInline(readFileSync(new URL("./trial.cjs", import.meta.url), "utf8")),
    memorySize: 128,
    // More than the functions' own.
    timeout: Duration.seconds(25),
    environment: { TRIALS: stack.toJsonString(versions), ...(visitor && { VISITOR: visitor.functionName }) },
  });
  trial.addToRolePolicy(
    new PolicyStatement({
      actions: ["codedeploy:GetDeployment", "codedeploy:PutLifecycleEventHookExecutionStatus"],
      resources: [...aliases.keys()].map((name) =>
        stack.formatArn({
          service: "codedeploy",
          resource: "deploymentgroup",
          resourceName: `${applicationName}/${groupName(stack, name)}`,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      ),
    }),
  );
  trial.addToRolePolicy(
    new PolicyStatement({
      actions: ["lambda:InvokeFunction"],
      // The alias as well: the version before. By its name, because the alias waits for the trial.
      resources: [
        ...[...aliases.values()].flatMap(({ version, lambda, aliasName }) => [
          version.functionArn,
          `${lambda.functionArn}:${aliasName}`,
        ]),
        ...(visitor ? [visitor.functionArn] : []),
      ],
    }),
  );
  return trial;
}

/**
 * A request that changes nothing: the first page of a list, the area's first request if it reads, or else one
 * that the function refuses.
 */
export function trialRequest(name: string): string {
  const { [name]: routes = [] } = routesByArea;
  const { firstRequest = "" } = definitions[name] ?? {};
  if (/^GET [^{]+$/.test(firstRequest)) return firstRequest;
  const list = routes.find((route) => firstPage(route, 1) !== undefined);
  if (list) return `GET ${toRequest(list.key, { query: firstPage(list, 1) ?? {} }).target}`;
  const route = routes.find(({ method }) => method === "GET") ?? routes[0];
  return route?.key ?? "GET /no-such-path";
}
