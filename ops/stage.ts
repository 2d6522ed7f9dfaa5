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
import { findRun } from "../local/run-file.ts";
import { CommandError, UsageError } from "./cli/errors.ts";

/** A stage's tables and secrets, and clients that reach them. */
export interface StageResources {
  readonly dynamodb: DynamoDBDocumentClient;
  readonly secretsManager: SecretsManagerClient;
  /** The name of an area's table. */
  table(area: TableName): string;
  /** The ARN of a secret, by its logical id without CDK's hash. */
  secret(label: SecretConstructId): string;
  close(): void;
}

interface Reach {
  readonly stackName: string;
  /** What the SDK's clients are told; for a deployment nothing: the environment and the profile say it all. */
  readonly config: {
    readonly endpoint?: string;
    readonly region?: string;
    readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
}

/**
 * Finds what a stage consists of, in the list of its stack's resources.
 *
 * @param stage `dev`, `prod`, or `local` for the run that uses DATA_DIR
 * @param dataDirectory where the local run keeps its data
 * @throws UsageError for any other stage
 * @throws CommandError when there is no such stack or no such run
 */
export async function openStage(stage: string, dataDirectory: string): Promise<StageResources> {
  const { stackName, config } = await reach(stage, dataDirectory);
  const clientConfig = { ...operatorClientConfig, ...config };
  const resources = await resourcesOf(stackName, clientConfig);
  const dynamodb = documentClient({ config: clientConfig });
  const secretsManager = new SecretsManagerClient(clientConfig);

  function find(type: string, label: string): string {
    // CDK puts eight hexadecimal digits behind the id that the app gives.
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

async function reach(stage: string, dataDirectory: string): Promise<Reach> {
  if (stage === "dev" || stage === "prod") return { stackName: `resource-api-${stage}`, config: {} };
  if (stage !== "local") throw new UsageError(`There is no stage "${stage}": --stage dev, prod or local.`);
  if (dataDirectory === "memory")
    throw new CommandError("A run that keeps nothing (DATA_DIR=memory) can't be reached by commands.");
  const run = await findRun(dataDirectory);
  if (run === undefined)
    throw new CommandError(
      `Nothing runs on the data in ${dataDirectory}: start it with npm start, or give DATA_DIR.`,
    );
  const { stackName, endpoint, region, accessKeyId, secretAccessKey } = run;
  return { stackName, config: { endpoint, region, credentials: { accessKeyId, secretAccessKey } } };
}

/** All resources: DescribeStackResources would give the first hundred alone. */
async function resourcesOf(stackName: string, config: typeof operatorClientConfig & Reach["config"]) {
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
      `There is no stack ${stackName} in ${region}: deploy it, or check AWS_PROFILE and AWS_REGION.`,
    );
  } finally {
    client.destroy();
  }
}
