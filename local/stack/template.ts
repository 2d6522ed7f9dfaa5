import { CommandError } from "../../cli/errors.ts";
import { inUseOutput } from "../../lib/construct-ids.ts";
import type {
  ConditionKey,
  FunctionModel,
  PolicyCondition,
  PolicyStatement,
  RouteModel,
  SecretModel,
  StackModel,
  TableModel,
} from "./model.ts";
import { type Resource, resolveResources, type Template } from "./resources.ts";

/** A stack's template, and where its assets are. */
export interface SynthesizedStack {
  readonly stackName: string;
  readonly template: Template;
  /** Directories by the S3 key of the uploaded asset. */
  readonly assetDirectories: Readonly<Record<string, string>>;
}

/**
 * Reads the parts of a stack that run locally.
 *
 * @throws {CommandError} naming the logical id, for anything that has no local equivalent
 */
export function readTemplate({ stackName, template, assetDirectories }: SynthesizedStack): StackModel {
  const resources = resolveResources(template, stackName);
  const roles = resources("AWS::IAM::Role");
  const policies = resources("AWS::IAM::Policy");
  // What rolls out versions has its code in the template, and no requests.
  const bundled = resources("AWS::Lambda::Function").filter(({ properties }) => !properties.Code?.ZipFile);
  const functions = bundled.map((resource) => {
    const role = roles.find(({ arn }) => arn === resource.properties.Role);
    if (role === undefined) throw new CommandError(`${resource.logicalId}: its role is not in the template.`);
    return readFunction(resource, role, readStatements(role, policies), assetDirectories);
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
  const invoked = new Set(routes.map(({ functionId }) => functionId));
  const [stage] = resources("AWS::ApiGatewayV2::Stage");
  const [api, ...otherApis] = resources("AWS::ApiGatewayV2::Api");
  if (api === undefined || otherApis.length > 0) throw new CommandError("The stack must have one HTTP API.");
  return {
    stackName,
    tables: resources("AWS::DynamoDB::Table").map((table) => readTable(table, template.Outputs ?? {})),
    // Others are invoked by events that do not happen locally, such as a schedule.
    functions: functions.filter(({ logicalId }) => invoked.has(logicalId)),
    secrets: resources("AWS::SecretsManager::Secret").map(readSecret),
    api: {
      apiId: api.ref,
      stage: stage?.properties.StageName ?? "$default",
      routes,
      cors: api.properties.CorsConfiguration,
    },
  };
}

/** A table as the stage uses it: under another name if the stack has an output for it. */
function readTable(
  { label, ref, properties }: Resource,
  outputs: NonNullable<Template["Outputs"]>,
): TableModel {
  const expiry = properties.TimeToLiveSpecification;
  const request = {
    TableName: String(outputs[inUseOutput(label)]?.Value ?? ref),
    KeySchema: properties.KeySchema,
    AttributeDefinitions: properties.AttributeDefinitions,
    BillingMode: properties.BillingMode,
    GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes,
  };
  return { label, request, ...(expiry?.Enabled ? { timeToLiveAttribute: expiry.AttributeName } : {}) };
}

function readSecret({
  label,
  ref: arn,
  properties: { GenerateSecretString: generated },
}: Resource): SecretModel {
  return { label, arn, ...(generated && { generatedLength: generated.PasswordLength ?? 32 }) };
}

function readFunction(
  { logicalId, label, ref: name, arn = "", properties }: Resource,
  role: Resource,
  statements: readonly PolicyStatement[],
  assetDirectories: SynthesizedStack["assetDirectories"],
): FunctionModel {
  const codeDirectory = assetDirectories[properties.Code?.S3Key];
  if (codeDirectory === undefined)
    throw new CommandError(`${logicalId}: its code is not an asset directory.`);
  const reserved = properties.ReservedConcurrentExecutions;
  return {
    logicalId,
    label,
    name,
    arn,
    runtime: properties.Runtime,
    handler: properties.Handler,
    codeDirectory,
    environment: properties.Environment?.Variables ?? {},
    timeoutSeconds: properties.Timeout ?? 3,
    memoryMegabytes: properties.MemorySize ?? 128,
    ...(reserved === undefined ? {} : { reservedConcurrency: Number(reserved) }),
    logGroupName: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`,
    roleName: role.ref,
    statements,
  };
}

/** Collects the statements of a role from the policies attached to it. AWS's own may only allow writing logs. */
function readStatements({ logicalId, ref, properties }: Resource, policies: readonly Resource[]) {
  const managed: readonly string[] = properties.ManagedPolicyArns ?? [];
  const unknown = managed.find((arn) => !arn.endsWith(":policy/service-role/AWSLambdaBasicExecutionRole"));
  if (unknown !== undefined) {
    throw new CommandError(`${logicalId}: the local run can't evaluate the managed policy ${unknown}.`);
  }
  if (properties.Policies) throw new CommandError(`${logicalId}: the local run does not support Policies.`);
  const attached = policies.filter((policy) => policy.properties.Roles?.includes(ref));
  return attached.flatMap((policy) => toStatements(policy.properties.PolicyDocument, policy.logicalId));
}

interface PolicyDocument {
  readonly Statement?: OneOrMany<{
    readonly Effect?: "Allow" | "Deny";
    readonly Action?: OneOrMany<string>;
    readonly Resource?: OneOrMany<string>;
    readonly Condition?: Conditions;
  }>;
}

/** Operator → condition key → patterns. */
type Conditions = Readonly<Record<string, Readonly<Record<string, OneOrMany<string>>>>>;

type OneOrMany<T> = T | readonly T[];

function toStatements({ Statement = [] }: PolicyDocument, owner: string): PolicyStatement[] {
  return asList(Statement).map((statement) => {
    const unsupported = ["NotAction", "NotResource"].find((name) => name in statement);
    if (unsupported !== undefined) {
      throw new CommandError(`${owner}: the local run can't evaluate ${unsupported} in a policy.`);
    }
    const { Effect: effect = "Allow", Action: actions = [], Resource: resources = [] } = statement;
    const conditions = toConditions(statement.Condition ?? {}, owner);
    return {
      effect,
      actions: asList(actions),
      resources: asList(resources),
      ...(conditions.length > 0 && { conditions }),
    };
  });
}

/** The last one differs from `StringEquals` only for requests without the key, which have it locally. */
const conditionOperators = ["ForAllValues:StringEquals", "ForAllValues:StringLike", "StringEqualsIfExists"];
const conditionKeys: readonly string[] = [
  "dynamodb:Attributes",
  "dynamodb:LeadingKeys",
  "dynamodb:Select",
] satisfies ConditionKey[];

function toConditions(conditions: Conditions, owner: string): PolicyCondition[] {
  return Object.entries(conditions).flatMap(([operator, values]) =>
    Object.entries(values).map(([key, patterns]) => {
      if (!conditionOperators.includes(operator) || !conditionKeys.includes(key))
        throw new CommandError(`${owner}: the local run can't evaluate ${operator} of ${key} in a policy.`);
      return { key: key as ConditionKey, patterns: asList(patterns) };
    }),
  );
}

function asList<T>(value: OneOrMany<T>): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

function readRoute(
  { logicalId, properties }: Resource,
  integrations: readonly Resource[],
  targets: Readonly<Record<string, FunctionModel | undefined>>,
): RouteModel {
  const integrationId = String(properties.Target ?? "").replace(/^integrations\//, "");
  const integration = integrations.find(({ ref }) => ref === integrationId)?.properties;
  const target = targets[integration?.IntegrationUri];
  if (target === undefined) {
    throw new CommandError(`${logicalId}: the route ${properties.RouteKey} has no function of the stack.`);
  }
  if (integration?.IntegrationType !== "AWS_PROXY" || integration.PayloadFormatVersion !== "2.0") {
    throw new CommandError(`${logicalId}: only Lambda proxy integrations of payload format 2.0 run locally.`);
  }
  return { routeKey: properties.RouteKey, functionId: target.logicalId };
}
