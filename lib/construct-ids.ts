/** The name of the service: of its stacks, its metrics and its tags (docs/your-own-service.md). */
export const SERVICE_NAME = "resource-api";

/** The name of a stage's stack, such as `resource-api-dev`. */
export function stackNameOf(stage: string): string {
  return `${SERVICE_NAME}-${stage}`;
}

/** Whether a stage may have this name: `dev`, `prod`, or `dev-alice` for a stage of somebody's own with dev's settings. */
export function isStageName(name: string): boolean {
  return /^(dev|prod|dev-[a-z\d]{1,16})$/.test(name);
}

/**
 * What the smoke test of a stage may change: anything; only records that a route deletes, which it deletes; or nothing,
 * so that it calls GET routes alone, for first pages and for records that do not exist: reading one may count it.
 */
export const smokeModes = ["complete", "leave-nothing", "read-only"] as const;

export type SmokeMode = (typeof smokeModes)[number];

/** The secrets, by the names that the code uses, and their construct ids, which operators see. */
export const secretConstructIds = { API_KEYS: "ApiKeys", SIGNING_SECRETS: "SigningSecrets" } as const;

/** A shorter signing secret can be guessed from a token (RFC 7518, 3.2: as many bits as the hash of HS256). */
export const MIN_SIGNING_SECRET_BYTES = 32;

export type SecretName = keyof typeof secretConstructIds;
export type SecretConstructId = (typeof secretConstructIds)[SecretName];

/** A table's construct id, such as `TodosTable`: CloudFormation's logical id is this and eight hexadecimal digits. */
export function tableConstructId(name: string): string {
  return `${pascalCase(name)}Table`;
}

/** The output of a stack that names another table than its own, which the stage uses instead (docs/adr/0023). */
export function inUseOutput(constructId: string): string {
  return `${constructId}InUse`;
}

/** Turns `api-key` into `ApiKey`: construct ids have no dashes. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
}
