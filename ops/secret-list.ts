import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  UpdateSecretVersionStageCommand,
} from "@aws-sdk/client-secrets-manager";
import { CommandError } from "../cli/errors.ts";
import { randomText } from "../cli/random-text.ts";
import { parseSecretList } from "../lib/auth/secrets.ts";
import type { LOG_KEY_ID, SecretConstructId } from "../lib/construct-ids.ts";
import type { OperatorContext } from "./operator-command.ts";
import type { StageResources } from "./stage.ts";

const MAX_ATTEMPTS = 10;

export interface SecretList {
  readonly values: readonly string[];
  readonly changedAt: Date | undefined;
  readonly versionId: string | undefined;
}

/** @throws {CommandError} if the secret is deleted */
export async function readSecretList(
  stage: StageResources,
  name: SecretConstructId | typeof LOG_KEY_ID,
): Promise<SecretList> {
  const command = new GetSecretValueCommand({ SecretId: stage.secret(name) });
  try {
    const { SecretString: text = "", CreatedDate, VersionId } = await stage.secretsManager.send(command);
    return { values: parseSecretList(text), changedAt: CreatedDate, versionId: VersionId };
  } catch (error) {
    // The second one while the deletion can be undone; the third one afterwards: without tags, no grant includes it.
    const { name: reason } = error as Error;
    if (!/^(ResourceNotFound|InvalidRequest|AccessDenied)Exception$/.test(reason)) throw error;
    const orDenied = reason === "AccessDeniedException" ? ", or you may not read it" : "";
    throw new CommandError(
      `The secret ${stage.secret(name)} is deleted${orDenied}: see "A deleted secret" in docs/operations.md.`,
    );
  }
}

/**
 * The new version becomes the current one only if the version that was read still is; otherwise the change is
 * applied to the newer version.
 *
 * @returns the values after the change. @throws {CommandError} if others keep changing it
 */
export async function changeSecretList(
  { stage }: Pick<OperatorContext, "stage">,
  name: SecretConstructId,
  change: (list: SecretList) => readonly string[],
): Promise<readonly string[]> {
  const SecretId = stage.secret(name);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const list = await readSecretList(stage, name);
    const values = change(list);
    if (values === list.values) return values;
    const pending = { SecretId, SecretString: values.join(","), VersionStages: ["AWSPENDING"] };
    const { VersionId: next } = await stage.secretsManager.send(new PutSecretValueCommand(pending));
    const move = { VersionStage: "AWSCURRENT", MoveToVersionId: next, RemoveFromVersionId: list.versionId };
    try {
      await stage.secretsManager.send(new UpdateSecretVersionStageCommand({ SecretId, ...move }));
      return values;
    } catch (error) {
      const { versionId } = await readSecretList(stage, name);
      // An earlier attempt of the SDK succeeded and its response was lost.
      if (versionId === next) return values;
      if (versionId === list.versionId) throw error;
    }
  }
  throw new CommandError("Other operators keep changing this secret: try again. Nothing was changed.");
}

/** A new key or signing secret as the first deployment generates them: letters and digits, 285 bits. */
export function generateValue(): string {
  return randomText(48);
}
