import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { isUnavailable, requestClientConfig, unavailable } from "../aws.ts";
import type { SecretName } from "../construct-ids.ts";
import { ApiError } from "../domain/errors.ts";
import { secretVariable, setting } from "../settings.ts";
import { type Cached, cached } from "./cached.ts";

/** A rotated secret is in use everywhere after this time. */
export const REREAD_AFTER_MS = 5 * 60_000;
const MIN_REREAD_INTERVAL_MS = 30_000;

/** The values of a secret in order, at least one. @throws ApiError `ServiceUnavailable` if they never could be read */
export type SecretValues = Cached<readonly string[]>;

/** A secret with comma-separated values, whose ARN is in the variable `<name>_ARN`. */
export function secret(name: SecretName): SecretValues {
  const client = new SecretsManagerClient(requestClientConfig);
  const command = new GetSecretValueCommand({ SecretId: setting(secretVariable(name)) });
  return cachedSecret(async () => (await client.send(command)).SecretString ?? "", Date.now);
}

/** Caches a secret, and keeps using it while it cannot be read. @param now in milliseconds */
export function cachedSecret(read: () => Promise<string>, now: () => number): SecretValues {
  const readValues = async () => {
    const text = await read().catch((error) => {
      throw isUnavailable(error) ? unavailable("The secret store", error) : error;
    });
    return parseSecretList(text);
  };
  return cached(readValues, now, REREAD_AFTER_MS, MIN_REREAD_INTERVAL_MS);
}

/** Also of a secret that was deleted. @throws ApiError `ServiceUnavailable` */
export async function assertSecretReadable(values: SecretValues): Promise<void> {
  await values().catch((error) => {
    throw error instanceof ApiError ? error : unavailable("The signing secret", error);
  });
}

export function parseSecretList(text: string): readonly string[] {
  const values = text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
  if (values.length === 0) throw new Error("The secret has no value");
  return values;
}
