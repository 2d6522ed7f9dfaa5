import { randomBytes } from "node:crypto";
import { localAccount } from "../stack/resource-names.ts";
import { denialMessage, evaluate, type Permission, type Statement, type Verdict } from "./iam.ts";

/** Who may do what: a function, or the stack's operator. */
export interface Principal {
  readonly logicalId: string;
  /** The role's session is named after it. */
  readonly name: string;
  readonly roleName: string;
  readonly statements: readonly Statement[];
}

/** A worker as the database sees it: credentials of its own, and what its requests have consumed. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly principal: Principal;
  /** @returns the capacity units consumed since the last call of this */
  takeUnits(): number;
  addUnits(units: number): void;
  /** Forgets the credentials. */
  revoke(): void;
}

/** All workers' credentials, and the record of what they were allowed to do. */
export interface CredentialStore {
  /** Gives a new worker, or the operator, credentials. */
  issue(principal: Principal): Credentials;
  find(accessKeyId: string): Credentials | undefined;
  /**
   * Checks what a request needs against the role's statements, and keeps a record of what was allowed.
   *
   * @returns the message of the refusal, or undefined if everything is allowed
   */
  authorize(caller: Credentials, needed: readonly Permission[]): string | undefined;
  /** @returns what a principal's requests needed and were allowed, every pair once */
  used(logicalId: string): readonly Permission[];
}

/** @returns an empty register of workers */
export function createCredentialStore(): CredentialStore {
  const byKey = new Map<string, Credentials>();
  const verdicts = new WeakMap<Principal, Map<string, Verdict>>();
  const usage = new Map<string, Map<string, Permission>>();

  function judge(principal: Principal, permission: Permission): Verdict {
    const known = verdicts.get(principal) ?? new Map<string, Verdict>();
    verdicts.set(principal, known);
    const text = `${permission.action} ${permission.resource}`;
    const verdict = known.get(text) ?? evaluate(principal.statements, permission);
    if (!known.has(text) && verdict === "allowed") record(principal.logicalId, text, permission);
    known.set(text, verdict);
    return verdict;
  }

  function record(logicalId: string, text: string, permission: Permission): void {
    const permissions = usage.get(logicalId) ?? new Map<string, Permission>();
    usage.set(logicalId, permissions.set(text, permission));
  }

  return {
    issue(principal) {
      const accessKeyId = `ASIA${randomBytes(8).toString("hex").toUpperCase()}`;
      let units = 0;
      const caller: Credentials = {
        accessKeyId,
        principal,
        takeUnits() {
          const taken = units;
          units = 0;
          return taken;
        },
        addUnits(more) {
          units += more;
        },
        revoke: () => byKey.delete(accessKeyId),
      };
      byKey.set(accessKeyId, caller);
      return caller;
    },
    find: (accessKeyId) => byKey.get(accessKeyId),
    authorize({ principal }, needed) {
      for (const permission of needed) {
        const verdict = judge(principal, permission);
        if (verdict !== "allowed") return denialMessage(arnOf(principal), permission, verdict);
      }
      return undefined;
    },
    used: (logicalId) => [...(usage.get(logicalId)?.values() ?? [])],
  };
}

/** Lambda names a role session after the function. */
function arnOf({ roleName, name }: Principal): string {
  return `arn:aws:sts::${localAccount}:assumed-role/${roleName}/${name}`;
}
