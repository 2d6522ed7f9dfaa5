import {
  CloudFormationClient,
  paginateListStackResources,
  type StackResourceSummary,
} from "@aws-sdk/client-cloudformation";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { type SecretConstructId, type TableName, tableConstructId } from "../lib/areas.ts";
import { operatorClientConfig } from "../lib/aws.ts";
import { documentClient } from "../lib/repositories/dynamodb/client.ts";
import { CommandError } from "../local/cli/errors.ts";
import { findRun } from "../local/run-file.ts";

export const stageNames = ["dev", "prod", "local"] as const;
export type OperatedStage = (typeof stageNames)[number];

/** A stage's tables and secrets, with clients for them. */
export interface StageResources {
  readonly dynamodb: DynamoDBDocumentClient;
  readonly secretsManager: SecretsManagerClient;
  /** The name of an area's table. */
  table(area: TableName): string;
  /** The ARN of a secret, by its logical id without CDK's hash. */
  secret(label: SecretConstructId): string;
  close(): void;
}

interface StackConnection {
  readonly stackName: string;
  /** Empty for a deployment: the SDK reads the environment and the profile. */
  readonly config: {
    readonly endpoint?: string;
    readonly region?: string;
    readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
}

/**
 * Opens a stage: looks up its tables and secrets in the list of its stack's resources.
 *
 * @param dataDirectory that of the local run, for the stage `local`
 * @throws {CommandError} if the stack is not deployed or the local run is not running
 */
export async function openStage(stage: OperatedStage, dataDirectory: string): Promise<StageResources> {
  const { stackName, config } = await connectTo(stage, dataDirectory);
  const clientConfig = { ...operatorClientConfig, ...config };
  const resources = await listResources(stackName, clientConfig);
  const dynamodb = documentClient({ config: clientConfig });
  const secretsManager = new SecretsManagerClient(clientConfig);

  function find(type: string, label: string): string {
    // CDK appends eight hexadecimal digits to the construct id.
    const found = resources.find(
      ({ ResourceType, LogicalResourceId: id = "" }) =>
        ResourceType === type && id.startsWith(label) && /^[0-9A-F]{8}$/.test(id.slice(label.length)),
    );
    if (found?.PhysicalResourceId) return found.PhysicalResourceId;
    throw new CommandError(`The stack ${stackName} has no ${label}: deploy this version first.`);
  }

  return {
    dynamodb,
    secretsManager,
    table: (area) => find("AWS::DynamoDB::Table", tableConstructId(area)),
    secret: (label) => find("AWS::SecretsManager::Secret", label),
    close() {
      dynamodb.destroy();
      secretsManager.destroy();
    },
  };
}

async function connectTo(stage: OperatedStage, dataDirectory: string): Promise<StackConnection> {
  if (stage !== "local") return { stackName: `resource-api-${stage}`, config: {} };
  if (dataDirectory === "memory")
    throw new CommandError("A local run with DATA_DIR=memory can't be operated: start it with a directory.");
  const run = await findRun(dataDirectory);
  if (run === undefined)
    throw new CommandError(`No local run uses ${dataDirectory}: start one with npm start, or set DATA_DIR.`);
  const { stackName, endpoint, region, accessKeyId, secretAccessKey } = run;
  return { stackName, config: { endpoint, region, credentials: { accessKeyId, secretAccessKey } } };
}

/** All resources of a stack. DescribeStackResources returns at most 100. */
async function listResources(
  stackName: string,
  config: typeof operatorClientConfig & StackConnection["config"],
) {
  const client = new CloudFormationClient(config);
  const resources: StackResourceSummary[] = [];
  try {
    const pages = paginateListStackResources({ client }, { StackName: stackName });
    for await (const { StackResourceSummaries: page = [] } of pages) resources.push(...page);
    return resources;
  } catch (error) {
    if (!(error instanceof Error) || !/does not exist/.test(error.message)) throw error;
    const region = await client.config.region();
    throw new CommandError(
      `The stack ${stackName} does not exist in ${region}: deploy it, or check AWS_PROFILE and AWS_REGION.`,
    );
  } finally {
    client.destroy();
  }
}
