import { randomInt } from "node:crypto";
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from "@aws-sdk/client-secrets-manager";
import { parseSecretList } from "../lib/auth/secrets.ts";
import { CommandError } from "./cli/errors.ts";

/** As many as the stack makes at the first deployment: letters and digits alone, 285 bits. */
const LENGTH = 48;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const CURRENT = "AWSCURRENT";
const PENDING = "AWSPENDING";
/** How often a change begins again because somebody else has made one. */
const ROUNDS = 10;

/** A secret's values, as they are kept: a list with commas between. */
export interface SecretList {
  readonly values: readonly string[];
  /** When they were last changed; undefined where the store does not say. */
  readonly changedAt: Date | undefined;
  readonly versionId: string | undefined;
}

/**
 * Reads a secret's values.
 *
 * @param id its ARN
 */
export async function readList(client: SecretsManagerClient, id: string): Promise<SecretList> {
  const command = new GetSecretValueCommand({ SecretId: id, VersionStage: CURRENT });
  const {
    SecretString: text = "",
    CreatedDate: changedAt,
    VersionId: versionId,
  } = await client.send(command);
  return { values: parseSecretList(text), changedAt, versionId };
}

/**
 * Changes a secret's values. The new version becomes the current one only where the one that was read still is:
 * of two operators at once, the second one's change begins again with what the first one has left.
 *
 * @param id the secret's ARN
 * @param change makes the new values of the present ones; undefined changes nothing
 * @returns the values as they are then
 * @throws CommandError when others keep changing it
 */
export async function changeList(
  client: SecretsManagerClient,
  id: string,
  change: (list: SecretList) => readonly string[] | undefined,
): Promise<readonly string[]> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const list = await readList(client, id);
    const values = change(list);
    if (values === undefined) return list.values;
    const { VersionId: next } = await client.send(
      new PutSecretValueCommand({ SecretId: id, SecretString: values.join(","), VersionStages: [PENDING] }),
    );
    if (await becameCurrent(client, id, list.versionId, next)) return values;
  }
  throw new CommandError("Others keep changing the secret; nothing is changed.");
}

async function becameCurrent(
  client: SecretsManagerClient,
  id: string,
  seen: string | undefined,
  next: string | undefined,
): Promise<boolean> {
  try {
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: id,
        VersionStage: CURRENT,
        MoveToVersionId: next,
        RemoveFromVersionId: seen,
      }),
    );
    return true;
  } catch (error) {
    const { versionId } = await readList(client, id);
    // An earlier attempt, whose answer was lost, has done it.
    if (versionId === next) return true;
    if (versionId === seen) throw error;
    return false;
  }
}

/** Makes up a value. */
export function generateValue(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}
