import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { SecretName } from "../areas.ts";
import { isUnavailable, requestClientConfig, unavailable } from "../aws.ts";
import { secretVariable, setting } from "../settings.ts";

/** After this long a secret is read again: a rotated one is in use everywhere then. */
export const REREAD_AFTER_MS = 5 * 60_000;
/** No more often than this is a secret read again because something did not fit it, or after a failed try. */
const PAUSE_MS = 30_000;

/**
 * Gives the values of a secret.
 *
 * @param wanted `fresh` when something did not fit the values known so far: they are then read again, unless
 *   that was done within the last half minute
 * @returns the values in their order, one at least
 * @throws ApiError `ServiceUnavailable` when they cannot be read and never could
 */
export type SecretValues = (wanted?: "cached" | "fresh") => Promise<readonly string[]>;

/**
 * A secret of Secrets Manager that this function may read. It is read when first needed, and kept by the
 * execution environment for a few minutes; the secret's value is a list with commas between.
 *
 * @param name the secret; the variable `<name>_ARN` tells where it is
 */
export function secret(name: SecretName): SecretValues {
  const client = new SecretsManagerClient(requestClientConfig);
  const command = new GetSecretValueCommand({
    SecretId: setting(secretVariable(name)),
    VersionStage: "AWSCURRENT",
  });
  return cachedSecret(
    async () => (await client.send(command)).SecretString ?? "",
    () => Date.now(),
  );
}

/**
 * Keeps the values of a secret, and goes on with those that it has while they cannot be read anew.
 *
 * @param read reads the comma-separated list
 * @param now milliseconds since any fixed point in time
 */
export function cachedSecret(read: () => Promise<string>, now: () => number): SecretValues {
  let values: readonly string[] | undefined;
  let readAt = 0;
  let triedAt = 0;
  let reading: Promise<readonly string[]> | undefined;

  async function readAgain(): Promise<readonly string[]> {
    triedAt = now();
    try {
      values = parseSecretList(await read());
      readAt = now();
      return values;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (values) return values;
      throw unavailable("The secret store", error);
    }
  }

  return async (wanted = "cached") => {
    const isDue = wanted === "fresh" || now() - readAt >= REREAD_AFTER_MS;
    if (values && !isDue) return values;
    if (values && !reading && now() - triedAt < PAUSE_MS) return values;
    reading ??= readAgain().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/**
 * Reads the list that a secret holds.
 *
 * @param text the values with commas between
 * @throws Error when there is none
 */
export function parseSecretList(text: string): readonly string[] {
  const values = text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
  if (values.length === 0) throw new Error("A secret holds no value");
  return values;
}
