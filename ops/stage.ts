import { join, resolve } from "node:path";
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from "@aws-sdk/client-cloudformation";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { CommandError, UsageError } from "../cli/errors.ts";
import type { OperatedStage } from "../functions/define-area.ts";
import { definitions, tableNames } from "../functions/definitions.ts";
import { localEndpointConfig, operatorClientConfig } from "../lib/aws.ts";
import {
  DATA_FORMAT,
  DATA_FORMAT_OUTPUT,
  inUseOutput,
  isStageName,
  jobFunction,
  LOG_KEY_ID,
  pascalCase,
  type SecretConstructId,
  secretConstructIds,
  stackNameOf,
  tableConstructId,
} from "../lib/construct-ids.ts";
import { documentClient } from "../lib/dynamodb/client.ts";
import { logFiles } from "../local/log-file.ts";
import { findRun } from "../local/run-file.ts";
import type { StackTemplate } from "./deployment/replacements.ts";

export interface StageResources extends OperatedStage {
  /** For messages: `the stack <service>-dev`, or the local database with its directory. */
  readonly name: string;
  readonly dynamodb: DynamoDBClient;
  /** For items with their types. */
  readonly rawDynamodb: DynamoDBClient;
  readonly secretsManager: SecretsManagerClient;
  /** The local run's, the older one first. A deployment has log groups. */
  readonly logFiles: readonly string[] | undefined;
  table(area: string): string;
  /** The name of the function of a job, such as `bookings/remind`. */
  job(label: string): string;
  /** The ARN of a secret, by its logical id without CDK's hash. */
  secret(label: SecretConstructId | typeof LOG_KEY_ID): string;
  hasSecret(label: typeof LOG_KEY_ID): boolean;
  /** @throws {CommandError} with what to do instead, for the local run */
  stack(otherwise: string): Stack;
}

type Stack = Awaited<ReturnType<typeof describeStack>>;

/**
 * @param stage the name of a deployed stage, or `local`
 * @throws {UsageError} if no stage may have that name
 * @throws {CommandError} if the stack is not deployed or the local run is not running
 */
export async function openStage(stage: string, dataDirectory: string): Promise<StageResources> {
  if (stage !== "local" && !isStageName(stage))
    throw new UsageError(`--stage must be dev, prod, local, or a name such as dev-alice, not "${stage}".`);
  const { name, config, tables, jobs, secrets, files, stack } =
    stage === "local" ? await findLocalRun(dataDirectory) : await findDeployment(stage);
  const clientConfig = { ...operatorClientConfig, ...config };

  function find(resources: Readonly<Record<string, string>>, label: string): string {
    const resource = resources[label];
    if (resource) return resource;
    throw new CommandError(`There is no ${label} in ${name}: deploy this version first.`);
  }

  // Their idle connections end with the process.
  return {
    name,
    dynamodb: documentClient({ config: clientConfig }),
    rawDynamodb: new DynamoDBClient(clientConfig),
    secretsManager: new SecretsManagerClient(clientConfig),
    clientConfig,
    resource: (type, label) => stack?.ofType(type)[label],
    logFiles: files,
    table: (area) => find(tables, tableConstructId(area)),
    job: (label) => find(jobs, label),
    secret: (label) => find(secrets, label),
    hasSecret: (label) => Boolean(secrets[label]),
    stack(otherwise) {
      if (stack === undefined) throw new CommandError(otherwise);
      return stack;
    },
  };
}

async function findLocalRun(dataDirectory: string) {
  if (dataDirectory === "memory")
    throw new CommandError("A local run with DATA_DIR=memory can't be operated: start it with a directory.");
  const run = await findRun(dataDirectory);
  if (run === undefined)
    throw new CommandError(`No local run uses ${dataDirectory}: start one with npm start, or set DATA_DIR.`);
  const { endpoint, region, accessKeyId, tables, jobs, secrets } = run;
  const credentials = { accessKeyId, secretAccessKey: "local" };
  const config = { ...localEndpointConfig, endpoint, region, credentials };
  const name = `the local database at ${resolve(dataDirectory)}`;
  const files = logFiles.map((file) => join(dataDirectory, file));
  return { name, config, tables, jobs, secrets, files, stack: undefined };
}

async function findDeployment(stage: string) {
  const stack = await describeStack(stage);
  const { name, outputs, ofType } = stack;
  const format = outputs.get(DATA_FORMAT_OUTPUT) ?? "0";
  if (format !== String(DATA_FORMAT))
    throw new CommandError(
      `The records of the stack ${name} are in format ${format}, and this version reads ${DATA_FORMAT}: use the version ` +
        "that is deployed. Nothing was changed.",
    );
  const used = (labels: readonly string[], type: string): Readonly<Record<string, string>> => {
    const own = ofType(type);
    return Object.fromEntries(
      labels.map((label) => [label, outputs.get(inUseOutput(label)) ?? own[label] ?? ""]),
    );
  };
  return {
    name: `the stack ${name}`,
    // The environment and the AWS profile select the account.
    config: {},
    tables: used(tableNames.map(tableConstructId), "AWS::DynamoDB::Table"),
    jobs: Object.fromEntries(
      Object.entries(definitions).flatMap(([area, { jobs = {} }]) =>
        Object.keys(jobs).map((job) => [
          `${area}/${job}`,
          ofType("AWS::Lambda::Function")[`${pascalCase(jobFunction(area, job))}Function`] ?? "",
        ]),
      ),
    ),
    secrets: used([...Object.values(secretConstructIds), LOG_KEY_ID], "AWS::SecretsManager::Secret"),
    files: undefined,
    stack,
  };
}

/** Physical ids are by logical ids without CDK's hash. @throws {CommandError} if it is not deployed */
export async function describeStack(stage: string) {
  const name = stackNameOf(stage);
  const found = await askCloudFormation(async (client) => {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    const outputs = new Map(stack?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
    // DescribeStackResources would return only the first hundred.
    const pages = await Array.fromAsync(paginateListStackResources({ client }, { StackName: name }));
    return { outputs, resources: pages.flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries) };
  });
  if (found === undefined)
    throw new CommandError(
      `The stack ${name} does not exist in ${await new CloudFormationClient().config.region()}: deploy it, or check AWS_PROFILE and AWS_REGION.`,
    );
  return {
    name,
    outputs: found.outputs,
    ofType: (type: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        found.resources
          .filter(({ ResourceType }) => ResourceType === type)
          .map(({ LogicalResourceId: id = "", PhysicalResourceId = "" }) => [
            id.replace(/[0-9A-F]{8}$/, ""),
            PhysicalResourceId,
          ]),
      ),
  };
}

/** @returns undefined if there is no such stack */
export function deployedStack(StackName: string) {
  const input = { StackName };
  return askCloudFormation(async (client) => {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand(input));
    const { TemplateBody } = await client.send(new GetTemplateCommand(input));
    // A stack of which only a change set was made has no template.
    const template: StackTemplate = { Resources: {}, ...JSON.parse(TemplateBody || "{}") };
    // Where a first deployment failed or was interrupted, or its repetition failed.
    const isFirst = /^(REVIEW_IN_PROGRESS|CREATE_(IN_PROGRESS|FAILED)|ROLLBACK_\w+|UPDATE_FAILED)$/;
    return { template, isComplete: !isFirst.test(stack?.StackStatus ?? "") };
  });
}

/** @returns undefined if there is no such stack */
async function askCloudFormation<T>(
  ask: (client: CloudFormationClient) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask(new CloudFormationClient(operatorClientConfig));
  } catch (error) {
    // CloudFormation has no code of its own for that.
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}
