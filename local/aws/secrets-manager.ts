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

/** Functions read current values; the operator stores a pending version and makes it the current one. */
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

  const operations: Readonly<Record<string, (secret: SecretModel, body: RequestBody) => ServiceResponse>> = {
    GetSecretValue(secret) {
      const { id, value, created } = currentVersion(secret);
      const shown = { SecretString: value, VersionId: id, CreatedDate: created };
      return success(secret, { ...shown, VersionStages: [currentStage] });
    },
    PutSecretValue(secret, { ClientRequestToken: token = "", SecretString: text, VersionStages }) {
      if (typeof text !== "string" || VersionStages?.[0] !== "AWSPENDING")
        return awsError(400, "InvalidParameterException", "The local run only stores pending texts.");
      pendingVersions.set(token, newVersion(token, text));
      return success(secret, { VersionId: token, VersionStages });
    },
    UpdateSecretVersionStage(secret, { MoveToVersionId = "", VersionStage, RemoveFromVersionId }) {
      const { id } = currentVersion(secret);
      const pending = pendingVersions.get(MoveToVersionId);
      if (pending === undefined || VersionStage !== currentStage)
        return awsError(400, "ResourceNotFoundException", "The version or the stage does not exist.");
      if (RemoveFromVersionId !== id)
        return awsError(400, "InvalidParameterException", `${currentStage} is attached to version ${id}.`);
      store.change(secret.label, pending.value);
      currentVersions.set(secret.arn, pending);
      return success(secret, {});
    },
  };

  return {
    targetPrefix: "secretsmanager.",
    permissions: (operation, body) => [
      { action: `secretsmanager:${operation}`, resource: requestedArn(body) },
    ],
    async handle(operation, body) {
      const secret = secrets().find(({ arn }) => arn === requestedArn(body));
      if (secret === undefined)
        return awsError(400, "ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
      // A name such as `toString` is none of them.
      const handle = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (handle) return handle(secret, body);
      return awsError(400, "UnknownOperationException", `The local run does not support ${operation}.`);
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
