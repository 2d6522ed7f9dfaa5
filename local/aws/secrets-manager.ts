import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { SecretModel } from "../stack/model.ts";
import { localAccount, localRegion } from "../stack/resource-names.ts";
import { type AwsService, awsError, type ServiceResponse } from "./endpoint.ts";
import type { SecretStore } from "./secret-values.ts";

const arnPrefix = `arn:aws:secretsmanager:${localRegion}:${localAccount}:secret:`;
const current = "AWSCURRENT";

/** A value of a secret, as Secrets Manager keeps it. */
interface Version {
  readonly id: string;
  readonly value: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

/** The members that the operations here know. */
const Members = z.object({
  SecretString: z.string().default(""),
  ClientRequestToken: z.string().default(randomUUID),
  VersionStages: z.array(z.string()).default([current]),
  VersionStage: z.string().optional(),
  MoveToVersionId: z.string().optional(),
  RemoveFromVersionId: z.string().optional(),
});
type Members = z.output<typeof Members>;

/**
 * Secrets Manager, as far as it is used: functions read the current value of the secrets that the stack
 * declares; the operator puts another version beside it and makes that the current one, if no other has become
 * so meanwhile.
 *
 * @param secrets the stack's secrets, asked for at each request: a reload may change them
 * @param store their values
 * @param now the time; a value that was there before counts as made at the first look at it
 */
export function createSecrets(
  secrets: () => readonly SecretModel[],
  store: SecretStore,
  now: () => Date = () => new Date(),
): AwsService {
  const versions = new Map<string, Version>();
  const pending = new Map<string, Version>();
  const seconds = () => now().getTime() / 1_000;
  let turn: Promise<unknown> = Promise.resolve();

  /** One write after the other: what a write is held against must still be so when it is done. */
  function inTurn<T>(write: () => Promise<T>): Promise<T> {
    const mine = turn.then(write, write);
    turn = mine;
    return mine;
  }

  function currentOf({ arn, label }: SecretModel): Version | undefined {
    const value = store.values()[label];
    if (value === undefined) return undefined;
    const known = versions.get(arn);
    if (known?.value === value) return known;
    const version = { id: randomUUID(), value, created: seconds() };
    versions.set(arn, version);
    return version;
  }

  async function makeCurrent({ arn, label }: SecretModel, version: Version): Promise<void> {
    await store.change(label, version.value);
    versions.set(arn, version);
  }

  async function put(secret: SecretModel, members: Members): Promise<ServiceResponse> {
    const { ClientRequestToken: id, SecretString: value, VersionStages: stages } = members;
    const version = { id, value, created: seconds() };
    if (stages.includes(current)) await makeCurrent(secret, version);
    else pending.set(id, version);
    return success(secret, { VersionId: id, VersionStages: stages });
  }

  async function moveStage(secret: SecretModel, members: Members): Promise<ServiceResponse> {
    const version = pending.get(members.MoveToVersionId ?? "");
    const before = currentOf(secret)?.id;
    if (version === undefined || members.VersionStage !== current) {
      return awsError(400, "ResourceNotFoundException", "There is no such version to make the current one.");
    }
    if (members.RemoveFromVersionId !== before) {
      return awsError(400, "InvalidParameterException", `${current} is attached to version ${before}.`);
    }
    await makeCurrent(secret, version);
    return success(secret, {});
  }

  return {
    target: "secretsmanager.",
    permissions: (operation, body) => [
      { action: `secretsmanager:${operation}`, resource: arnOf((body as SecretRequest).SecretId) },
    ],
    async answer({ operation, body }) {
      const arn = arnOf((body as SecretRequest).SecretId);
      const secret = secrets().find((candidate) => candidate.arn === arn);
      const version = secret && currentOf(secret);
      if (!["GetSecretValue", "PutSecretValue", "UpdateSecretVersionStage"].includes(operation)) {
        return awsError(400, "UnknownOperationException", `The local run has no ${operation}.`);
      }
      if (secret === undefined || version === undefined) {
        const message = "Secrets Manager can't find the specified secret.";
        return awsError(400, "ResourceNotFoundException", message);
      }
      if (operation === "GetSecretValue") return found(secret, version);
      const members = Members.safeParse(body);
      if (!members.success) return awsError(400, "InvalidParameterException", members.error.message);
      const write = operation === "PutSecretValue" ? put : moveStage;
      return inTurn(() => write(secret, members.data));
    },
    close: () => undefined,
  };
}

interface SecretRequest {
  readonly SecretId?: string;
}

/** A secret is asked for by its name or by its ARN. */
function arnOf(secretId: string | undefined): string {
  if (secretId === undefined) return "*";
  return secretId.startsWith("arn:") ? secretId : arnPrefix + secretId;
}

function found(secret: SecretModel, { id, value, created }: Version): ServiceResponse {
  return success(secret, {
    SecretString: value,
    VersionId: id,
    VersionStages: [current],
    CreatedDate: created,
  });
}

function success({ arn }: SecretModel, members: object): ServiceResponse {
  const body = JSON.stringify({ ARN: arn, Name: arn.slice(arnPrefix.length), ...members });
  return { statusCode: 200, headers: { "content-type": "application/x-amz-json-1.1" }, body };
}
