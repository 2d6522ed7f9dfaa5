import {
  CreateSecretCommand,
  DescribeSecretCommand,
  RestoreSecretCommand,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import {
  SERVICE_NAME,
  type SecretConstructId,
  secretConstructIds,
  stackNameOf,
} from "../../lib/construct-ids.ts";
import type { OperatorContext } from "../operator-command.ts";
import { generateValue } from "../secret-list.ts";
import { checkAnswerable, deployWith, settingsInUse, textOf } from "./deploy-with.ts";

const invalid = {
  ApiKeys: "All previous API keys are invalid: npm run key -- add creates one.",
  SigningSecrets: "All previous tokens are invalid: everybody has to log in again.",
} as const;

/** Undoes the deletion of a stage's secrets, or creates others and deploys the stage with these. */
export async function recreateSecrets(context: OperatorContext, yes: boolean): Promise<void> {
  const { stage, stageName, isDryRun, print, progress } = context;
  const { secretsManager: client } = stage;
  const { outputs } = stage.stack("The local run creates missing secrets when it starts: restart it.");
  const inUse = settingsInUse(outputs);
  const ids = Object.values(secretConstructIds);
  const described = await Promise.all(ids.map((id) => describe(client, stage.secret(id))));
  const isAnyMissing = described.includes(undefined);
  if (isAnyMissing && !isDryRun) checkAnswerable(yes);
  for (const [i, id] of ids.entries()) {
    const found = described[i];
    if (found === undefined) inUse.secrets.set(id, await create(context, id));
    else if (found.DeletedDate === undefined) print(`${id} is not deleted.`);
    else await undelete(context, id);
  }
  if (!isAnyMissing) return;
  print(`secrets=${textOf(inUse.secrets)}`);
  if (isDryRun) return;
  deployWith(stageName, inUse, yes);
  progress("Write these secrets into the stage's file in infra/stages.");
}

async function undelete({ stage, isDryRun, print }: OperatorContext, id: SecretConstructId): Promise<void> {
  if (!isDryRun) await stage.secretsManager.send(new RestoreSecretCommand({ SecretId: stage.secret(id) }));
  const did = isDryRun ? "Would undo" : "Undid";
  print(`${did} the deletion of ${id}: all its values are valid, also leaked ones: --revoke ends them.`);
}

/** @returns undefined if there is no such secret, not even one whose deletion can be undone */
async function describe(client: SecretsManagerClient, SecretId: string) {
  try {
    return await client.send(new DescribeSecretCommand({ SecretId }));
  } catch (error) {
    if ((error as Error).name === "ResourceNotFoundException") return undefined;
    throw error;
  }
}

/** Creates a secret with the tags that operators' permissions need. @returns its ARN */
async function create(
  { stage: { secretsManager: client }, stageName, isDryRun, print }: OperatorContext,
  id: SecretConstructId,
): Promise<string> {
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  const Name = `${id}-${stackNameOf(stageName)}-${day}`;
  print(`${isDryRun ? "Would create" : "Creating"} the secret ${Name}. ${invalid[id]}`);
  if (isDryRun) return `<ARN of ${Name}>`;
  // An earlier attempt has created it.
  const existing = await describe(client, Name);
  if (existing?.ARN !== undefined) return existing.ARN;
  const tags = { service: SERVICE_NAME, stage: stageName };
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const { ARN = "" } = await client.send(
    new CreateSecretCommand({ Name, SecretString: generateValue(), Tags }),
  );
  return ARN;
}
