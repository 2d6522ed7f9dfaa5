import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from "@aws-sdk/client-secrets-manager";
import { CommandError } from "../cli/errors.ts";
import { randomText } from "../cli/random-text.ts";
import { parseSecretList } from "../lib/auth/secrets.ts";

/** The same as the stack generates at the first deployment: letters and digits, 285 bits. */
const LENGTH = 48;
const CURRENT = "AWSCURRENT";
const PENDING = "AWSPENDING";
/** How often a change is tried when other operators change the secret at the same time. */
const MAX_ATTEMPTS = 10;

/** The current version of a secret whose text is a comma-separated list. */
export interface SecretList {
  readonly values: readonly string[];
  /** The time of the last change; undefined if the service does not report it. */
  readonly changedAt: Date | undefined;
  readonly versionId: string | undefined;
}

/** @param id the secret's ARN */
export async function readSecretList(client: SecretsManagerClient, id: string): Promise<SecretList> {
  const command = new GetSecretValueCommand({ SecretId: id, VersionStage: CURRENT });
  const { SecretString: text = "", CreatedDate, VersionId } = await client.send(command);
  return { values: parseSecretList(text), changedAt: CreatedDate, versionId: VersionId };
}

/**
 * Changes a secret's values without losing concurrent changes: the new version becomes the current one only if the
 * version that was read still is; otherwise the change is applied to the newer version.
 *
 * @param id the secret's ARN
 * @param change returns the new values; undefined leaves the secret as it is
 * @returns the values after the change
 * @throws {CommandError} if others keep changing it
 */
export async function changeSecretList(
  client: SecretsManagerClient,
  id: string,
  change: (list: SecretList) => readonly string[] | undefined,
): Promise<readonly string[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const list = await readSecretList(client, id);
    const values = change(list);
    if (values === undefined) return list.values;
    const { VersionId: next } = await client.send(
      new PutSecretValueCommand({ SecretId: id, SecretString: values.join(","), VersionStages: [PENDING] }),
    );
    if (await makeCurrent(client, id, list.versionId, next)) return values;
  }
  throw new CommandError("Other operators keep changing this secret: try again. Nothing was changed.");
}

/** @returns false if the version that was read is no longer the current one */
async function makeCurrent(
  client: SecretsManagerClient,
  id: string,
  previous: string | undefined,
  next: string | undefined,
): Promise<boolean> {
  try {
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: id,
        VersionStage: CURRENT,
        MoveToVersionId: next,
        RemoveFromVersionId: previous,
      }),
    );
    return true;
  } catch (error) {
    const { versionId } = await readSecretList(client, id);
    // An earlier attempt of the SDK succeeded and its response was lost.
    if (versionId === next) return true;
    if (versionId === previous) throw error;
    return false;
  }
}

/** Generates a random value for a key or a signing secret. */
export function generateValue(): string {
  return randomText(LENGTH);
}
