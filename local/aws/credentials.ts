import { randomBytes } from "node:crypto";
import { localAccount } from "../stack/arn.ts";
import type { PolicyStatement } from "../stack/model.ts";
import { denialMessage, evaluate, type Permission } from "./iam.ts";

/** Who calls AWS: a function or the operator. */
export interface Principal {
  readonly logicalId: string;
  /** The name of the role session. */
  readonly name: string;
  readonly roleName: string;
  readonly statements: readonly PolicyStatement[];
}

/** The credentials of one execution environment, or of the operator. */
export class Credentials {
  readonly accessKeyId = `ASIA${randomBytes(8).toString("hex").toUpperCase()}`;
  readonly principal: Principal;
  #capacityUnits = 0;

  constructor(principal: Principal) {
    this.principal = principal;
  }

  /** Adds DynamoDB capacity units that a request consumed. */
  addCapacityUnits(capacityUnits: number): void {
    this.#capacityUnits += capacityUnits;
  }

  /** @returns the capacity units consumed since the last call */
  takeCapacityUnits(): number {
    const taken = this.#capacityUnits;
    this.#capacityUnits = 0;
    return taken;
  }
}

/** Issues credentials and checks what their requests need against the role's statements. */
export class CredentialStore {
  readonly #byAccessKeyId = new Map<string, Credentials>();
  /** By logical id, then by action and resource. */
  readonly #used = new Map<string, Map<string, Permission>>();

  issue(principal: Principal): Credentials {
    const credentials = new Credentials(principal);
    this.#byAccessKeyId.set(credentials.accessKeyId, credentials);
    return credentials;
  }

  revoke({ accessKeyId }: Credentials): void {
    this.#byAccessKeyId.delete(accessKeyId);
  }

  find(accessKeyId: string): Credentials | undefined {
    return this.#byAccessKeyId.get(accessKeyId);
  }

  /** @returns AWS's message for the first permission that is denied; undefined if all are allowed */
  authorize(principal: Principal, needed: readonly Permission[]): string | undefined {
    const used = this.#used.get(principal.logicalId) ?? new Map<string, Permission>();
    this.#used.set(principal.logicalId, used);
    for (const permission of needed) {
      const decision = evaluate(principal.statements, permission);
      if (decision !== "allowed") return denialMessage(sessionArn(principal), permission, decision);
      used.set(`${permission.action} ${permission.resource}`, permission);
    }
    return undefined;
  }

  /** @returns the permissions that a principal's requests needed and were allowed, without duplicates */
  usedPermissions(logicalId: string): readonly Permission[] {
    return [...(this.#used.get(logicalId)?.values() ?? [])];
  }
}

/** Lambda names a role session after the function. */
function sessionArn({ roleName, name }: Principal): string {
  return `arn:aws:sts::${localAccount}:assumed-role/${roleName}/${name}`;
}
