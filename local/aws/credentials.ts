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
export interface Credentials {
  readonly accessKeyId: string;
  readonly principal: Principal;
  /** @returns the DynamoDB capacity units consumed since the last call */
  takeCapacityUnits(): number;
  addCapacityUnits(capacityUnits: number): void;
  revoke(): void;
}

/** Issues credentials and checks what their requests need against the role's statements. */
export interface CredentialStore {
  issue(principal: Principal): Credentials;
  find(accessKeyId: string): Credentials | undefined;
  /** @returns AWS's message for the first permission that is denied; undefined if all are allowed */
  authorize(principal: Principal, needed: readonly Permission[]): string | undefined;
  /**
   * @param logicalId of the principal
   * @returns the permissions that its requests needed and were allowed, without duplicates
   */
  usedPermissions(logicalId: string): readonly Permission[];
}

export function createCredentialStore(): CredentialStore {
  const byAccessKeyId = new Map<string, Credentials>();
  const usedByPrincipal = new Map<string, Map<string, Permission>>();

  function recordUse({ logicalId }: Principal, permission: Permission): void {
    const used = usedByPrincipal.get(logicalId) ?? new Map<string, Permission>();
    usedByPrincipal.set(logicalId, used.set(`${permission.action} ${permission.resource}`, permission));
  }

  return {
    issue(principal) {
      const accessKeyId = `ASIA${randomBytes(8).toString("hex").toUpperCase()}`;
      let consumed = 0;
      const credentials: Credentials = {
        accessKeyId,
        principal,
        takeCapacityUnits() {
          const taken = consumed;
          consumed = 0;
          return taken;
        },
        addCapacityUnits(capacityUnits) {
          consumed += capacityUnits;
        },
        revoke: () => byAccessKeyId.delete(accessKeyId),
      };
      byAccessKeyId.set(accessKeyId, credentials);
      return credentials;
    },
    find: (accessKeyId) => byAccessKeyId.get(accessKeyId),
    authorize(principal, needed) {
      for (const permission of needed) {
        const decision = evaluate(principal.statements, permission);
        if (decision !== "allowed") return denialMessage(sessionArn(principal), permission, decision);
        recordUse(principal, permission);
      }
      return undefined;
    },
    usedPermissions: (logicalId) => [...(usedByPrincipal.get(logicalId)?.values() ?? [])],
  };
}

/** Lambda names a role session after the function. */
function sessionArn({ roleName, name }: Principal): string {
  return `arn:aws:sts::${localAccount}:assumed-role/${roleName}/${name}`;
}
