import packageFile from "../package.json" with { type: "json" };

/** The name of the service: of its stacks, its metrics and its tags. `npm run rename` changes it. */
export const SERVICE_NAME = packageFile.name;
export const SERVICE_SUMMARY = packageFile.description;

/** Of the stored records: versions with another number cannot read them (docs/versioning.md). */
export const DATA_FORMAT = 2;

export const DATA_FORMAT_OUTPUT = "DataFormat";

/** The metadata of resources that an area adds to the stack (functions/define-area.ts, `AreaConstructs`). */
export const OF_AREA = "area";

/** The metadata of functions, from which the local run bundles them again. */
export const BUNDLE = "bundle";

export function stackNameOf(stage: string): string {
  return `${SERVICE_NAME}-${stage}`;
}

/** `dev`, `prod`, or `dev-alice` for a stage of somebody's own with dev's settings. */
export function isStageName(name: string): boolean {
  return /^(dev|prod|dev-[a-z\d]{1,16})$/.test(name);
}

/** The secrets, by the names that the code uses, and their construct ids, which operators see. */
export const secretConstructIds = { API_KEYS: "ApiKeys", SIGNING_SECRETS: "SigningSecrets" } as const;

/** The construct id of the secret with the key of anonymous logs, comma-separated: the first one is in use. */
export const LOG_KEY_ID = "LogKey";

/** As many bits as the hash of HS256 (RFC 7518, 3.2). */
export const MIN_SIGNING_SECRET_BYTES = 32;

export type SecretName = keyof typeof secretConstructIds;
export type SecretConstructId = (typeof secretConstructIds)[SecretName];

/** CloudFormation's logical id is this and eight hexadecimal digits. */
export function tableConstructId(name: string): string {
  return `${pascalCase(name)}Table`;
}

/** The name of a job's function, whose construct id is `Job…Function`. */
export function jobFunction(area: string, job: string): string {
  return `job-${area}-${job}`;
}

/** What the DNS record of a stage's name leads to. */
export const DOMAIN_TARGET_OUTPUT = "DomainTarget";
export const DOMAIN_ZONE_OUTPUT = "DomainTargetZone";

/** The name of the vault with the tables' backups, and the ARN of the role that restores them. */
export const BACKUP_VAULT_OUTPUT = "BackupVault";
export const BACKUP_ROLE_OUTPUT = "BackupRole";

/** The output that names the table (docs/adr/0023) or the secret in use instead of the stack's own. */
export function inUseOutput(constructId: string): string {
  return `${constructId}InUse`;
}

/** Construct ids have no dashes. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
}
