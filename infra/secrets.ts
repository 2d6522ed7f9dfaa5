import { RemovalPolicy, type Stack, Validations } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { SERVICE_NAME, type SecretName, secretConstructIds } from "../lib/construct-ids.ts";
import type { Stage } from "./stages.ts";

export type Secrets = Readonly<Record<SecretName, Secret>>;

/** Comma-separated lists, so that two values are valid during a rotation. The template has no value. */
export function secrets(stack: Stack, stage: Stage): Secrets {
  const entries = Object.entries(secretConstructIds).map(([name, id]) => {
    const secret = new Secret(stack, id, {
      description: `${SERVICE_NAME} ${stage.name}: ${name}, comma-separated`,
      // Without punctuation there is no comma. 48 letters and digits are 285 bits.
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      removalPolicy: stage.keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason: "Operators rotate: clients have to receive new keys, and tokens live for 30 minutes only",
    });
    return [name, secret];
  });
  return Object.fromEntries(entries);
}
