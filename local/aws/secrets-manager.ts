import { randomUUID } from "node:crypto";
import { localArn } from "../stack/arn.ts";
import type { SecretModel } from "../stack/model.ts";
import { type AwsService, awsError, type ServiceResponse } from "./endpoint.ts";
import type { SecretStore } from "./secret-values.ts";

const arnPrefix = localArn("secretsmanager", "secret:");
const currentStage = "AWSCURRENT";

interface SecretVersion {
  readonly id: string;
  readonly value: string;
  readonly created: number;
}

interface RequestBody {
  readonly SecretId?: string;
  readonly SecretString?: string;
  readonly ClientRequestToken?: string;
  readonly VersionStages?: readonly string[];
  readonly VersionStage?: string;
  readonly MoveToVersionId?: string;
  readonly RemoveFromVersionId?: string;
}

type Operation = (secret: SecretModel, current: SecretVersion, body: RequestBody) => ServiceResponse;

/**
 * Functions read current values; the operator stores a pending version and makes it the current one, unless another
 * has become that meanwhile.
 */
export function createSecretsManager(secrets: () => readonly SecretModel[], store: SecretStore): AwsService {
  const currentVersions = new Map<string, SecretVersion>();
  const pendingVersions = new Map<string, SecretVersion>();
  const newVersion = (id: string, value: string) => ({ id, value, created: Date.now() / 1_000 });

  function currentVersion({ arn, label }: SecretModel): SecretVersion {
    // A value that is older than this run gets its version when it is first read.
    const version = currentVersions.get(arn) ?? newVersion(randomUUID(), store.values()[label] ?? "");
    currentVersions.set(arn, version);
    return version;
  }

  const operations: Readonly<Record<string, Operation>> = {
    GetSecretValue: (secret, { id, value, created }) =>
      success(secret, {
        SecretString: value,
        VersionId: id,
        VersionStages: [currentStage],
        CreatedDate: created,
      }),

    PutSecretValue(secret, _current, { ClientRequestToken: id = "", SecretString: value, VersionStages }) {
      if (typeof value !== "string" || VersionStages?.[0] !== "AWSPENDING")
        return awsError(400, "InvalidParameterException", "The local run only stores pending texts.");
      pendingVersions.set(id, newVersion(id, value));
      return success(secret, { VersionId: id, VersionStages });
    },

    UpdateSecretVersionStage(secret, current, { MoveToVersionId = "", VersionStage, RemoveFromVersionId }) {
      const version = pendingVersions.get(MoveToVersionId);
      if (version === undefined || VersionStage !== currentStage)
        return awsError(400, "ResourceNotFoundException", "The version or the stage does not exist.");
      if (RemoveFromVersionId !== current.id) {
        const message = `${currentStage} is attached to version ${current.id}.`;
        return awsError(400, "InvalidParameterException", message);
      }
      store.change(secret.label, version.value);
      currentVersions.set(secret.arn, version);
      return success(secret, {});
    },
  };

  return {
    targetPrefix: "secretsmanager.",
    permissions: (operation, body) => [
      { action: `secretsmanager:${operation}`, resource: requestedArn(body) },
    ],
    async handle(operation, body) {
      const run = operations[operation];
      if (run === undefined)
        return awsError(400, "UnknownOperationException", `The local run does not support ${operation}.`);
      const arn = requestedArn(body);
      const secret = secrets().find((candidate) => candidate.arn === arn);
      if (secret === undefined)
        return awsError(400, "ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
      return run(secret, currentVersion(secret), body);
    },
  };
}

function requestedArn({ SecretId: id }: RequestBody): string {
  if (id === undefined) return "*";
  return id.startsWith("arn:") ? id : arnPrefix + id;
}

function success({ arn }: SecretModel, members: object): ServiceResponse {
  const body = JSON.stringify({ ARN: arn, Name: arn.slice(arnPrefix.length), ...members });
  return { statusCode: 200, headers: { "content-type": "application/x-amz-json-1.1" }, body };
}
