import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type CfnResource, Duration, type Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  type FunctionProps,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { routesOf, tables as tableDefinitions } from "../functions/definitions.ts";
import { BUNDLE, pascalCase, SERVICE_NAME } from "../lib/construct-ids.ts";
import { secretVariable, tableVariable } from "../lib/settings.ts";
import { bundleFunctions } from "./build/bundle.ts";
import { writeDocumentation } from "./build/documentation.ts";
import {
  hasGuards,
  jobs,
  type LambdaDefinition,
  lambdas,
  reservedConcurrency,
  withGuards,
} from "./lambdas.ts";
import { createLogGroup } from "./monitoring/log-group.ts";
import { metricsNamespace } from "./monitoring/metrics.ts";
import type { Secrets } from "./secrets.ts";
import type { Stage } from "./settings/stages.ts";
import { requiredTable, type Tables } from "./tables.ts";

/** By the name of their folder, or of their job. */
export type Functions = ReadonlyMap<string, LambdaFunction>;

type Resources = Readonly<{ tables: Tables; secrets: Secrets }>;

/** One function per area and job, the fallback and the repair, each with its own role, log group and grants. */
export async function functions(
  stack: Stack,
  stage: Stage,
  resources: Resources,
  outdir: string,
): Promise<Functions> {
  const all = [...Object.entries(lambdas), ...[...jobs].map(([name, { lambda }]) => [name, lambda] as const)];
  const variants = all.map(([name, own]) => variantOf(name, own, stage));
  // In folders of their own, because bundles that are up to date are not made again.
  const folderOf = ({ first }: Variant) => [outdir, ...first.map((file) => basename(file, ".ts"))].join("-");
  const bundleOf = ({ name, definition }: Variant) => definition.bundle ?? name;
  for (const [folder, group] of Map.groupBy(variants, folderOf))
    await bundleFunctions([...new Set(group.map(bundleOf))], folder, undefined, group[0]?.first);
  await writeDocumentation(join(outdir, "system", "documentation"), stage);
  return new Map(
    variants.map((variant) => {
      const { name, definition, first } = variant;
      const bundle = bundleOf(variant);
      const code = join(folderOf(variant), bundle);
      const lambda = createFunction(stack, stage, name, definition, resources, code);
      (lambda.node.defaultChild as CfnResource).addMetadata(BUNDLE, { name: bundle, first });
      return [name, lambda];
    }),
  );
}

interface Variant {
  readonly name: string;
  readonly definition: LambdaDefinition;
  /** Files with which its bundle begins. */
  readonly first: readonly string[];
}

/** A function as the stage's access rules and its identity provider need it. */
function variantOf(name: string, own: LambdaDefinition, { access, issuer }: Stage): Variant {
  const isGuarded = hasGuards(name, access);
  const guarded = isGuarded ? withGuards(name, own, access) : own;
  const first = isGuarded ? ["functions/guards.ts"] : [];
  const takesTokens = isGuarded || routesOf(name).some(({ authorizer }) => authorizer?.scheme === "bearer");
  if (issuer === undefined || !takesTokens) return { name, definition: guarded, first };
  const environment = (stage: Stage) => ({
    ...guarded.environment?.(stage),
    ISSUER: JSON.stringify(issuer),
  });
  return { name, definition: { ...guarded, environment }, first: [...first, "functions/issuer.ts"] };
}

function createFunction(
  stack: Stack,
  stage: Stage,
  name: string,
  { size, uses, secrets: secretNames = [], environment, exportName }: LambdaDefinition,
  { tables, secrets }: Resources,
  bundle: string,
) {
  const reserved = reservedConcurrency(name, stage);
  const lambda = createLambda(stack, stage, name, {
    description: name,
    code: Code.fromAsset(bundle),
    ...(exportName && { handler: `index.${exportName}` }),
    memorySize: size.memoryMegabytes,
    timeout: Duration.seconds(size.timeoutSeconds),
    ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    environment: {
      METRICS_NAMESPACE: metricsNamespace(stage),
      SERVICE_NAME: name,
      MAX_READ_UNITS: String(stage.maxReadUnits),
      MAX_WRITE_UNITS: String(stage.maxWriteUnits),
      ...proxyEnvironment(stage),
      // Resolved by CloudFormation, so that functions without secrets need no client and no call for it.
      ...(secrets.logKey && { LOG_KEY: secrets.logKey.secretValue.unsafeUnwrap() }),
      ...environment?.(stage),
    },
  });
  for (const [target, actions] of Object.entries(uses)) {
    const [table, ...index] = target.split("/") as [string, ...string[]];
    const { tableName, tableArn } = requiredTable(tables, table);
    lambda.addEnvironment(tableVariable(table), tableName);
    allowOnTable(lambda, name, table, actions, [tableArn, ...index].join("/"));
  }
  for (const secret of secretNames) {
    const { secretArn } = secrets[secret];
    lambda.addEnvironment(secretVariable(secret), secretArn);
    allow(lambda, ["secretsmanager:GetSecretValue"], [secretArn]);
  }
  return lambda;
}

function proxyEnvironment({ address, trustedProxy }: Stage): Readonly<Record<string, string>> {
  const valuesOf = (name: string) =>
    trustedProxy
      ?.get(name)
      ?.map(([, value]) => value)
      .join() ?? "";
  return {
    ...(address && { ADDRESS: address }),
    ...(trustedProxy && {
      PROXY_SECRET_HASHES: valuesOf("secret"),
      PROXY_ADDRESS_HEADER: valuesOf("address"),
    }),
  };
}

/** A function with a role and a log group of its own, and with what all functions share. */
export function createLambda(
  stack: Stack,
  stage: Stage,
  name: string,
  { description, ...props }: Omit<FunctionProps, "handler" | "runtime"> & { readonly handler?: string },
): LambdaFunction {
  const id = pascalCase(name);
  const logGroup = createLogGroup(stack, stage, `${id}Logs`);
  const role = new Role(stack, `${id}Role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);
  if (stage.tracing)
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: "X-Ray has no resources",
    });
  return new LambdaFunction(stack, `${id}Function`, {
    description: `${SERVICE_NAME} ${stage.name}: ${description}`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: "index.handler",
    role,
    logGroup,
    // Without a start and a report line per request. Time-outs and crashes are still logged.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    ...(stage.tracing && { tracing: Tracing.ACTIVE }),
    ...props,
  });
}

/** Code in the template, with its plan: a zip may have 4 MB, an environment 4 KB. Lambda's runtime has its clients. */
export function inlineCode(name: "trial" | "visitor", plan: object): Code {
  const files = ["write-record", name].map((each) =>
    readFileSync(new URL(`./${each}.cjs`, import.meta.url), "utf8"),
  );
  return Code.fromInline([`const PLAN = ${JSON.stringify(plan)};`, ...files].join("\n"));
}

/** Grants actions to a function's role. @param conditions operator → condition key → values */
export function allow(
  lambda: LambdaFunction,
  actions: readonly string[],
  resources: readonly string[],
  conditions = {},
): void {
  lambda.addToRolePolicy(
    new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }),
  );
}

/** In a statement for the actions without conditions, and one for those that share conditions. */
function allowOnTable(
  lambda: LambdaFunction,
  name: string,
  table: string,
  actions: readonly string[],
  resource: string,
): void {
  const conditionsOf = (action: string) => tableDefinitions[table]?.conditions?.(name, action);
  const byConditions = Map.groupBy(actions, (action) => JSON.stringify(conditionsOf(action) ?? {}));
  for (const [conditions, actions] of byConditions)
    allow(lambda, actions, [resource], JSON.parse(conditions));
}
