import type { CorsRules } from "../api-gateway/cors.ts";
import { StartError } from "../start-error.ts";
import { type Names, type Resource, resolveIntrinsics, type Template } from "./intrinsics.ts";
import type { ApiModel, FunctionModel, Model, RouteModel, SecretModel, TableModel } from "./model.ts";
import { readStatements } from "./policies.ts";
import { nameResources } from "./resource-names.ts";

/** A template, and where its assets are. */
export interface SynthesizedStack {
  readonly stackName: string;
  readonly template: Template;
  /** The directory of an uploaded asset by its S3 key. */
  readonly assetDirectories: Readonly<Record<string, string>>;
}

/**
 * Reads what the local run needs from a synthesized stack.
 *
 * @param stack the template and its assets
 * @returns the tables, functions and routes, all references resolved to local names
 * @throws {StartError} naming the logical id, for anything that has no local equivalent
 */
export function readTemplate(stack: SynthesizedStack): Model {
  const names = nameResources(stack.template, stack.stackName);
  return {
    stackName: stack.stackName,
    resources: Object.entries(stack.template.Resources).map(([logicalId, { Type: type }]) => ({
      logicalId,
      type,
      physicalId: names.ref(logicalId) ?? logicalId,
    })),
    tables: entries(stack, names, "AWS::DynamoDB::Table").map(readTable),
    functions: entries(stack, names, "AWS::Lambda::Function").map((entry) =>
      readFunction(entry, stack, names),
    ),
    secrets: entries(stack, names, "AWS::SecretsManager::Secret").map(readSecret),
    api: readApi(stack, names),
  };
}

interface Entry {
  readonly logicalId: string;
  /** What `Ref` gives. */
  readonly ref: string;
  readonly raw: Resource;
  /** The resource's properties without intrinsics. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is CloudFormation's own, checked when CDK wrote it
  readonly properties: any;
}

function entries(stack: SynthesizedStack, names: Names, type: string): Entry[] {
  return Object.entries(stack.template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([logicalId, raw]) => ({
      logicalId,
      ref: names.ref(logicalId) ?? logicalId,
      raw,
      properties: resolveIntrinsics(raw.Properties ?? {}, names, logicalId),
    }));
}

function readTable({ logicalId, ref, properties }: Entry): TableModel {
  const expiry = properties.TimeToLiveSpecification;
  const indexes = (list: unknown) => (Array.isArray(list) && list.length > 0 ? list : undefined);
  const request = {
    TableName: ref,
    KeySchema: properties.KeySchema,
    AttributeDefinitions: properties.AttributeDefinitions,
    BillingMode: properties.BillingMode ?? "PROVISIONED",
    ProvisionedThroughput: properties.ProvisionedThroughput,
    GlobalSecondaryIndexes: indexes(properties.GlobalSecondaryIndexes),
    LocalSecondaryIndexes: indexes(properties.LocalSecondaryIndexes),
  };
  return { logicalId, request, ...(expiry?.Enabled ? { timeToLiveAttribute: expiry.AttributeName } : {}) };
}

function readSecret({ logicalId, ref, properties }: Entry): SecretModel {
  const generated = properties.GenerateSecretString;
  const label = labelOf(logicalId);
  // With a template, the generated text is only one member of a JSON value; nobody here needs that.
  if (generated === undefined || generated.SecretStringTemplate !== undefined) return { label, arn: ref };
  return { label, arn: ref, generatedLength: generated.PasswordLength ?? 32 };
}

function readFunction(entry: Entry, stack: SynthesizedStack, names: Names): FunctionModel {
  const { logicalId, ref, properties, raw } = entry;
  const codeDirectory = stack.assetDirectories[properties.Code?.S3Key];
  if (codeDirectory === undefined) throw new StartError(`${logicalId}: its code is not an asset directory.`);
  const roleId = referenced(raw.Properties?.Role);
  if (roleId === undefined) throw new StartError(`${logicalId}: its role is not in the template.`);
  const reserved = properties.ReservedConcurrentExecutions;
  return {
    logicalId,
    label: labelOf(logicalId),
    name: ref,
    arn: names.attribute(logicalId, "Arn") ?? "",
    runtime: properties.Runtime,
    handler: properties.Handler,
    codeDirectory,
    environment: properties.Environment?.Variables ?? {},
    timeoutSeconds: properties.Timeout ?? 3,
    memoryMegabytes: properties.MemorySize ?? 128,
    ...(reserved === undefined ? {} : { reservedConcurrency: Number(reserved) }),
    logGroupName: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${ref}`,
    roleName: names.ref(roleId) ?? roleId,
    statements: readStatements(stack.template, names, roleId),
  };
}

function readApi(stack: SynthesizedStack, names: Names): ApiModel {
  const apis = entries(stack, names, "AWS::ApiGatewayV2::Api");
  const [api] = apis;
  if (api === undefined || apis.length > 1) {
    throw new StartError(`The stack ${stack.stackName} has ${apis.length} HTTP APIs instead of one.`);
  }
  const cors = api.properties.CorsConfiguration;
  const stage = entries(stack, names, "AWS::ApiGatewayV2::Stage")[0]?.properties.StageName ?? "$default";
  const routes = entries(stack, names, "AWS::ApiGatewayV2::Route").map((route) => readRoute(route, stack));
  return { apiId: api.ref, stage, routes, ...(cors === undefined ? {} : { cors: readCors(cors) }) };
}

function readRoute(route: Entry, { template }: SynthesizedStack): RouteModel {
  const { logicalId, properties } = route;
  const integrationId = String(properties.Target ?? "").replace(/^integrations\//, "");
  const integration = template.Resources[integrationId]?.Properties;
  const functionId = referenced(integration?.IntegrationUri);
  if (functionId === undefined || template.Resources[functionId]?.Type !== "AWS::Lambda::Function") {
    throw new StartError(`${logicalId}: the route ${properties.RouteKey} leads to no function of the stack.`);
  }
  if (integration?.IntegrationType !== "AWS_PROXY" || integration.PayloadFormatVersion !== "2.0") {
    throw new StartError(`${logicalId}: only Lambda proxy integrations of payload format 2.0 run locally.`);
  }
  return { routeKey: properties.RouteKey, functionId };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is CloudFormation's own, checked when CDK wrote it
function readCors(cors: any): CorsRules {
  return {
    allowOrigins: cors.AllowOrigins ?? [],
    allowMethods: cors.AllowMethods ?? [],
    allowHeaders: cors.AllowHeaders ?? [],
    exposeHeaders: cors.ExposeHeaders ?? [],
    allowCredentials: cors.AllowCredentials ?? false,
    ...(cors.MaxAge === undefined ? {} : { maxAgeSeconds: Number(cors.MaxAge) }),
  };
}

/** The logical id without the hash that CDK puts behind it. */
function labelOf(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, "");
}

/** The logical id behind `{"Fn::GetAtt": [id, "Arn"]}`. */
function referenced(value: unknown): string | undefined {
  const target = (value as { readonly "Fn::GetAtt"?: unknown } | undefined)?.["Fn::GetAtt"];
  const logicalId = Array.isArray(target) ? target[0] : undefined;
  return typeof logicalId === "string" ? logicalId : undefined;
}
