import { join } from "node:path";
import { CommandError } from "../../cli/errors.ts";
import { BUNDLE, inUseOutput, secretConstructIds } from "../../lib/construct-ids.ts";
import {
  conditionKeys,
  type FunctionModel,
  type JobModel,
  type PolicyStatement,
  type RouteModel,
  type SecretModel,
  type StackModel,
  type TableModel,
} from "./model.ts";
import {
  isOfArea,
  labelOf,
  type Resource,
  resolveResources,
  type Template,
  unsupported,
} from "./resources.ts";

export interface SynthesizedStack {
  readonly stackName: string;
  readonly template: Template;
  readonly directory: string;
}

/** @throws {CommandError} naming the logical id of what has no local equivalent */
export function readTemplate({ stackName, template, directory }: SynthesizedStack): StackModel {
  const resources = resolveResources(template, stackName);
  const roles = resources("AWS::IAM::Role");
  const policies = resources("AWS::IAM::Policy");
  const functions = resources("AWS::Lambda::Function").map((resource) => {
    const { logicalId, properties } = resource;
    const role = roles.find(({ arn }) => arn === properties.Role) ?? unsupported(logicalId, "its role");
    return readFunction(resource, role, readStatements(role, policies), directory);
  });
  // Locally an alias has one version: the code of its function.
  const aliases = resources("AWS::Lambda::Alias").map(({ ref, properties }) => [
    ref,
    functions.find(({ name }) => name === properties.FunctionName),
  ]);
  const targets = Object.fromEntries([...functions.map((each) => [each.arn, each]), ...aliases]);
  const integrations = resources("AWS::ApiGatewayV2::Integration");
  const routes = resources("AWS::ApiGatewayV2::Route").map((route) =>
    readRoute(route, integrations, targets),
  );
  const jobs = readJobs(functions, resources("AWS::Lambda::EventSourceMapping"));
  const invoked = new Set([...routes, ...jobs].map(({ functionId }) => functionId));
  const [api, ...otherApis] = resources("AWS::ApiGatewayV2::Api");
  if (api === undefined || otherApis.length > 0) throw new CommandError("The stack must have one HTTP API.");
  return {
    stackName,
    tables: resources("AWS::DynamoDB::Table").map((table) => readTable(table, template.Outputs ?? {})),
    // Others are invoked by events that do not happen locally.
    functions: functions.filter(({ logicalId }) => invoked.has(logicalId)),
    jobs,
    secrets: [
      ...resources("AWS::SecretsManager::Secret").map(readSecret),
      ...secretsInUse(template.Outputs ?? {}),
    ],
    leftOut: Object.entries(template.Resources).flatMap(([id, each]) =>
      isOfArea(each) ? [`${labelOf(id)} (${each.Type})`] : [],
    ),
    api: {
      apiId: api.ref,
      routes,
      cors: api.properties.CorsConfiguration ?? unsupported(api.logicalId, "an API without CORS"),
    },
  };
}

/** A table as the stage uses it: under another name if the stack has an output for it. */
function readTable(
  { label, ref, properties }: Resource,
  outputs: NonNullable<Template["Outputs"]>,
): TableModel {
  const { KeySchema, AttributeDefinitions, BillingMode, GlobalSecondaryIndexes } = properties;
  const TableName = String(outputs[inUseOutput(label)]?.Value ?? ref);
  const request = { TableName, KeySchema, AttributeDefinitions, BillingMode, GlobalSecondaryIndexes };
  const StreamSpecification = { StreamEnabled: true, ...properties.StreamSpecification };
  const stream = properties.StreamSpecification && { StreamSpecification };
  return { label, request: { ...request, ...stream }, timeToLive: properties.TimeToLiveSpecification };
}

function readSecret({ logicalId, label, ref: arn, properties }: Resource): SecretModel {
  const length: number | undefined = properties.GenerateSecretString?.PasswordLength;
  return {
    label,
    arn,
    generatedLength: length ?? unsupported(logicalId, "a secret without a generated value"),
  };
}

/** The secrets that the stage uses instead of the stack's own. */
function secretsInUse(outputs: NonNullable<Template["Outputs"]>): SecretModel[] {
  return Object.values(secretConstructIds).flatMap((label) => {
    const arn = outputs[inUseOutput(label)]?.Value;
    return arn === undefined ? [] : [{ label, arn: String(arn), generatedLength: 48 }];
  });
}

function readFunction(
  { logicalId, label, ref: name, arn = "", properties, metadata }: Resource,
  role: Resource,
  statements: readonly PolicyStatement[],
  directory: string,
): FunctionModel {
  return {
    logicalId,
    label,
    name,
    arn,
    runtime: properties.Runtime,
    handler: properties.Handler,
    codeDirectory: join(directory, `asset.${properties.Code.S3Key.replace(/\.zip$/, "")}`),
    bundle: metadata[BUNDLE] as FunctionModel["bundle"],
    environment: properties.Environment?.Variables ?? {},
    timeoutSeconds: properties.Timeout,
    memoryMegabytes: properties.MemorySize,
    logGroupName: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`,
    roleName: role.ref,
    statements,
  };
}

/** The functions whose environment says which job they are. */
function readJobs(functions: readonly FunctionModel[], mappings: readonly Resource[]): JobModel[] {
  return functions.flatMap(({ logicalId: functionId, name: functionName, environment: { JOB: label } }) => {
    const stream = mappings.find(({ properties }) => properties.FunctionName === functionName)?.properties;
    return label === undefined ? [] : [{ label, functionId, functionName, ...(stream && { stream }) }];
  });
}

/** The statements of the policies attached to a role. AWS's own may only allow writing logs. */
function readStatements({ logicalId, ref, properties }: Resource, policies: readonly Resource[]) {
  const managed: readonly string[] = properties.ManagedPolicyArns ?? [];
  const unknown = managed.find((arn) => !arn.endsWith(":policy/service-role/AWSLambdaBasicExecutionRole"));
  if (unknown || properties.Policies) unsupported(logicalId, unknown ?? "Policies");
  const attached = policies.filter((policy) => policy.properties.Roles?.includes(ref));
  return attached.flatMap((policy) =>
    policy.properties.PolicyDocument.Statement.map((statement: Statement) =>
      readStatement(statement, policy.logicalId),
    ),
  );
}

interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** The last one differs from `StringEquals` only for requests without the key. */
const conditionOperators = ["ForAllValues:StringEquals", "ForAllValues:StringLike", "StringEqualsIfExists"];

function readStatement(
  { Effect: effect, Action, Resource, Condition = {}, ...others }: Statement,
  owner: string,
): PolicyStatement {
  const [unknown] = Object.keys(others);
  if (unknown) unsupported(owner, `${unknown} in a policy`);
  const conditions = Object.entries(Condition).flatMap(([operator, values]) =>
    Object.entries(values).map(([key, patterns]) => {
      const known = conditionKeys.find((each) => each === key);
      return conditionOperators.includes(operator) && known
        ? { key: known, patterns: [patterns].flat() }
        : unsupported(owner, `${operator} of ${key} in a policy`);
    }),
  );
  return {
    effect,
    actions: [Action].flat(),
    resources: [Resource].flat(),
    ...(conditions.length > 0 && { conditions }),
  };
}

function readRoute(
  { logicalId, properties }: Resource,
  integrations: readonly Resource[],
  targets: Readonly<Record<string, FunctionModel | undefined>>,
): RouteModel {
  const integrationId = properties.Target.replace("integrations/", "");
  const integration = integrations.find(({ ref }) => ref === integrationId)?.properties;
  const target = targets[integration?.IntegrationUri];
  if (target === undefined || integration.PayloadFormatVersion !== "2.0")
    return unsupported(logicalId, `a route without a function that gets payload format 2.0`);
  return { routeKey: properties.RouteKey, functionId: target.logicalId };
}
