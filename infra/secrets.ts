import { CfnOutput, RemovalPolicy, type Stack, Validations } from "aws-cdk-lib";
import { type ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import {
  inUseOutput,
  LOG_KEY_ID,
  SERVICE_NAME,
  type SecretName,
  secretConstructIds,
} from "../lib/construct-ids.ts";
import type { Stage } from "./settings/stages.ts";

export type Secrets = Readonly<Record<SecretName, ISecret>> & { readonly logKey: ISecret | undefined };

/**
 * Comma-separated lists, so that two values are valid during a rotation. The template has no value. The stack has none
 * of its own where the stage uses another one (docs/adr/0036).
 */
export function secrets(stack: Stack, stage: Stage): Secrets {
  const entries = Object.entries(secretConstructIds).map(([name, id]): [string, ISecret] => {
    const other = stage.secrets.get(id);
    if (other !== undefined) return [name, useSecret(stack, id, other)];
    return [name, createSecret(stack, stage, id, name)];
  });
  const logKey = stage.anonymousLogs ? createSecret(stack, stage, LOG_KEY_ID, "LOG_KEY") : undefined;
  return { ...Object.fromEntries(entries), logKey } as Secrets;
}

function createSecret(stack: Stack, stage: Stage, id: string, name: string): ISecret {
  const secret = new Secret(stack, id, {
    description: `${SERVICE_NAME} ${stage.name}: ${name}, comma-separated`,
    // Without punctuation there is no comma. 48 letters and digits are 285 bits.
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
    ...(stage.replicaRegion && { replicaRegions: [{ region: stage.replicaRegion }] }),
    removalPolicy: stage.keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  Validations.of(secret).acknowledge({
    id: "AwsSolutions-SMG4",
    reason: "Operators rotate: clients have to receive new keys, and tokens live for 30 minutes only",
  });
  return secret as ISecret;
}

/** A secret that is not part of the stack. The output tells it to operators' commands and the local run. */
function useSecret(stack: Stack, id: string, arn: string): ISecret {
  const output = inUseOutput(id);
  new CfnOutput(stack, output, { value: arn, description: `The ${id} are in this secret` });
  return Secret.fromSecretCompleteArn(stack, `${output}Secret`, arn);
}
