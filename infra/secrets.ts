import { RemovalPolicy, type Stack, Validations } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Stage } from "./stages.ts";

/** The secrets, by the name that the functions' code has for them, and their logical ids. */
const logicalIds = {
  SIGNING_SECRETS: "SigningSecrets",
  API_KEYS: "ApiKeys",
} as const;

export type SecretName = keyof typeof logicalIds;
export type Secrets = Readonly<Record<SecretName, Secret>>;

/**
 * The secrets: each a list with commas between, of one value that is made up at the first deployment. A second
 * value is put beside it, and later the first one taken away, where the secret lies. No value is ever part of
 * the template or of a function's environment.
 *
 * @returns the secrets by name
 */
export function secrets(stack: Stack, stage: Stage): Secrets {
  const entries = Object.entries(logicalIds).map(([name, id]) => {
    const secret = new Secret(stack, id, {
      description: `resource-api ${stage.name}: ${name}, comma-separated`,
      // Letters and digits alone: 48 of them are 285 bits, and no comma can be among them.
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      removalPolicy: stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(secret).acknowledge({
      id: "AwsSolutions-SMG4",
      reason:
        "Keys belong to clients and tokens live 30 minutes: a rotation is a decision, and two values overlap",
    });
    return [name, secret];
  });
  return Object.fromEntries(entries);
}
