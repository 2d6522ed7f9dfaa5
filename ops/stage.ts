import {
  CloudFormationClient,
  paginateListStackResources,
  type StackResourceSummary,
} from "@aws-sdk/client-cloudformation";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { TableName } from "../infra/tables.ts";
import { operatorClientConfig } from "../lib/aws.ts";
import { documentClient } from "../lib/repositories/dynamodb/client.ts";
import { findRun } from "../local/run-file.ts";
import { CommandError, UsageError } from "./cli/errors.ts";

/** A stage's tables and secrets, and clients that reach them. */
export interface StageResources {
  readonly dynamodb: DynamoDBDocumentClient;
  readonly secretsManager: SecretsManagerClient;
  /** The name of an area's table. */
  table(area: TableName): string;
  /** The ARN of a secret, by its logical id without CDK's hash. */
  secret(label: SecretLabel): string;
  close(): void;
}

export type SecretLabel = "SigningSecrets" | "ApiKeys";

/** How to reach a stage, and what its resources are called. */
interface StageAccess {
  readonly stackName: string;
  /** For the SDK's clients; empty for a deployment, which the environment and the AWS profile select. */
  readonly config: {
    readonly endpoint?: string;
    readonly region?: string;
    readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  /** Table names by logical id without CDK's hash. */
  readonly tables: Readonly<Record<string, string>>;
  /** ARNs of secrets by logical id without CDK's hash. */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Opens a stage's tables and secrets.
 *
 * @param stage `dev`, `prod`, or `local` for the run that uses `DATA_DIR`
 * @param dataDirectory the local run's data directory
 * @throws UsageError for any other stage
 * @throws CommandError if the stack or the local run does not exist
 */
export async function openStage(stage: string, dataDirectory: string): Promise<StageResources> {
  const { stackName, config, tables, secrets } = await accessOf(stage, dataDirectory);
  const clientConfig = { ...operatorClientConfig, ...config };
  const dynamodb = documentClient({ config: clientConfig });
  const secretsManager = new SecretsManagerClient(clientConfig);

  function find(resources: Readonly<Record<string, string>>, label: string): string {
    const name = resources[label];
    if (name) return name;
    throw new CommandError(`The stack ${stackName} has no ${label}: deploy this version first.`);
  }

  return {
    dynamodb,
    secretsManager,
    table: (area) => find(tables, `${area.charAt(0).toUpperCase()}${area.slice(1)}Table`),
    secret: (label) => find(secrets, label),
    close() {
      dynamodb.destroy();
      secretsManager.destroy();
    },
  };
}

async function accessOf(stage: string, dataDirectory: string): Promise<StageAccess> {
  if (stage === "dev" || stage === "prod") return await findDeployment(`resource-api-${stage}`);
  if (stage === "local") return await findLocalRun(dataDirectory);
  throw new UsageError(`There is no stage "${stage}": --stage dev, prod or local.`);
}

async function findLocalRun(dataDirectory: string): Promise<StageAccess> {
  if (dataDirectory === "memory")
    throw new CommandError("A run that keeps nothing (DATA_DIR=memory) can't be reached by commands.");
  const run = await findRun(dataDirectory);
  if (run === undefined)
    throw new CommandError(
      `Nothing runs on the data in ${dataDirectory}: start it with npm start, or give DATA_DIR.`,
    );
  const { stackName, endpoint, region, accessKeyId, secretAccessKey, tables, secrets } = run;
  const config = { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
  return { stackName, config, tables, secrets };
}

async function findDeployment(stackName: string): Promise<StageAccess> {
  const resources = await listResources(stackName);
  const ofType = (type: string) =>
    Object.fromEntries(
      resources
        .filter(({ ResourceType }) => ResourceType === type)
        // CDK appends eight hexadecimal digits to the ids in the code.
        .map(({ LogicalResourceId: id = "", PhysicalResourceId: name = "" }) => [
          id.replace(/[0-9A-F]{8}$/, ""),
          name,
        ]),
    );
  return {
    stackName,
    config: {},
    tables: ofType("AWS::DynamoDB::Table"),
    secrets: ofType("AWS::SecretsManager::Secret"),
  };
}

/** Lists all resources; DescribeStackResources would return only the first hundred. */
async function listResources(stackName: string): Promise<StackResourceSummary[]> {
  const client = new CloudFormationClient(operatorClientConfig);
  const resources: StackResourceSummary[] = [];
  try {
    const pages = paginateListStackResources({ client }, { StackName: stackName });
    for await (const { StackResourceSummaries: page = [] } of pages) resources.push(...page);
    return resources;
  } catch (error) {
    if (!(error instanceof Error) || !/does not exist/.test(error.message)) throw error;
    const region = await client.config.region();
    throw new CommandError(
      `There is no stack ${stackName} in ${region}: deploy it, or check AWS_PROFILE and AWS_REGION.`,
    );
  } finally {
    client.destroy();
  }
}
