import { resolve } from "node:path";
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type StackResourceSummary,
} from "@aws-sdk/client-cloudformation";
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { CommandError, UsageError } from "../cli/errors.ts";
import { tableNames } from "../functions/definitions.ts";
import { operatorClientConfig } from "../lib/aws.ts";
import {
  inUseOutput,
  isStageName,
  type SecretConstructId,
  stackNameOf,
  tableConstructId,
} from "../lib/construct-ids.ts";
import { documentClient } from "../lib/repositories/dynamodb/client.ts";
import { findRun } from "../local/run-file.ts";

/** A stage's tables and secrets, with clients for them. */
export interface StageResources {
  /** For messages: `the stack resource-api-dev`, or the local database with its directory. */
  readonly name: string;
  readonly dynamodb: DynamoDBDocumentClient;
  /** For items with their types. */
  readonly rawDynamodb: DynamoDBClient;
  readonly secretsManager: SecretsManagerClient;
  /** The name of an area's table. */
  table(area: string): string;
  /** The ARN of a secret, by its logical id without CDK's hash. */
  secret(label: SecretConstructId): string;
  close(): void;
}

/** How to reach a stage, and what its resources are called. */
interface StageAccess {
  readonly name: string;
  /** For the SDK's clients; empty for a deployment, which the environment and the AWS profile select. */
  readonly config: Pick<DynamoDBClientConfig, "endpoint" | "region" | "credentials">;
  /** Table names by logical id without CDK's hash. */
  readonly tables: Readonly<Record<string, string>>;
  /** ARNs of secrets by logical id without CDK's hash. */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Opens a stage's tables and secrets.
 *
 * @param stage the name of a deployed stage, or `local`
 * @param dataDirectory the local run's data directory, for the stage `local`
 * @throws {UsageError} if no stage may have that name
 * @throws {CommandError} if the stack is not deployed or the local run is not running
 */
export async function openStage(stage: string, dataDirectory: string): Promise<StageResources> {
  if (stage !== "local" && !isStageName(stage))
    throw new UsageError(`--stage must be dev, prod, local, or a name such as dev-alice, not "${stage}".`);
  const access =
    stage === "local" ? await findLocalRun(dataDirectory) : await findDeployment(stackNameOf(stage));
  const { name, config, tables, secrets } = access;
  const clientConfig = { ...operatorClientConfig, ...config };
  const dynamodb = documentClient({ config: clientConfig });
  const rawDynamodb = new DynamoDBClient(clientConfig);
  const secretsManager = new SecretsManagerClient(clientConfig);

  function find(resources: Readonly<Record<string, string>>, label: string): string {
    const resource = resources[label];
    if (resource) return resource;
    throw new CommandError(`There is no ${label} in ${name}: deploy this version first.`);
  }

  return {
    name,
    dynamodb,
    rawDynamodb,
    secretsManager,
    table: (area) => find(tables, tableConstructId(area)),
    secret: (label) => find(secrets, label),
    close() {
      dynamodb.destroy();
      rawDynamodb.destroy();
      secretsManager.destroy();
    },
  };
}

async function findLocalRun(dataDirectory: string): Promise<StageAccess> {
  if (dataDirectory === "memory")
    throw new CommandError("A local run with DATA_DIR=memory can't be operated: start it with a directory.");
  const run = await findRun(dataDirectory);
  if (run === undefined)
    throw new CommandError(`No local run uses ${dataDirectory}: start one with npm start, or set DATA_DIR.`);
  const { endpoint, region, accessKeyId, secretAccessKey, tables, secrets } = run;
  const config = { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
  const name = `the local database at ${resolve(dataDirectory)}`;
  return { name, config, tables, secrets };
}

async function findDeployment(stackName: string): Promise<StageAccess> {
  const { resources, outputs } = await describeStack(stackName);
  // CDK appends eight hexadecimal digits to the ids in the code.
  const labelOf = (logicalId = "") => logicalId.replace(/[0-9A-F]{8}$/, "");
  const ofType = (type: string) =>
    Object.fromEntries(
      resources
        .filter(({ ResourceType }) => ResourceType === type)
        .map(({ LogicalResourceId: id, PhysicalResourceId: name = "" }) => [labelOf(id), name]),
    );
  const tablesInUse = tableNames.map(tableConstructId).flatMap((label) => {
    const name = outputs.get(inUseOutput(label));
    return name === undefined ? [] : [[label, name] as const];
  });
  return {
    name: `the stack ${stackName}`,
    config: {},
    tables: { ...ofType("AWS::DynamoDB::Table"), ...Object.fromEntries(tablesInUse) },
    secrets: ofType("AWS::SecretsManager::Secret"),
  };
}

/** Whether CloudFormation knows no stack with the name: it has no code of its own for that. */
export function isMissingStack(error: unknown): boolean {
  return error instanceof Error && /does not exist/.test(error.message);
}

/** Lists all resources; DescribeStackResources would return only the first hundred. */
async function describeStack(stackName: string) {
  const client = new CloudFormationClient(operatorClientConfig);
  const resources: StackResourceSummary[] = [];
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const outputs = new Map(stack?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
    const pages = paginateListStackResources({ client }, { StackName: stackName });
    for await (const { StackResourceSummaries: page = [] } of pages) resources.push(...page);
    return { resources, outputs };
  } catch (error) {
    if (!isMissingStack(error)) throw error;
    const region = await client.config.region();
    throw new CommandError(
      `The stack ${stackName} does not exist in ${region}: deploy it, or check AWS_PROFILE and AWS_REGION.`,
    );
  } finally {
    client.destroy();
  }
}
