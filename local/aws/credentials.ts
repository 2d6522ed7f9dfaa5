import { randomBytes } from "node:crypto";
import { localAccount } from "../stack/arn.ts";
import type { Principal } from "../stack/model.ts";
import { denialMessage, evaluate, type Permission } from "./iam.ts";

export interface AwsCall {
  readonly operation: string;
  readonly resources: readonly string[];
  readonly request: object;
  readonly response: string;
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly capacityUnits: number;
  readonly statusCode: number;
  /** IAM's message if the role does not allow it. */
  readonly denial?: string;
}

export class Credentials {
  readonly accessKeyId = `ASIA${randomBytes(8).toString("hex").toUpperCase()}`;
  readonly principal: Principal;
  /** Undefined until somebody takes them, so that those of the operator do not pile up. */
  #calls: AwsCall[] | undefined;

  constructor(principal: Principal) {
    this.principal = principal;
  }

  addCall(call: AwsCall): void {
    this.#calls?.push(call);
  }

  /** @returns the calls that ended since this was last asked for */
  takeCalls(): readonly AwsCall[] {
    const taken = this.#calls ?? [];
    this.#calls = [];
    return taken;
  }
}

/** Issues credentials and checks what their requests need against the role's statements. */
export class CredentialStore {
  readonly #byAccessKeyId = new Map<string, Credentials>();
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

function sessionArn({ roleName, name }: Principal): string {
  return `arn:aws:sts::${localAccount}:assumed-role/${roleName}/${name}`;
}
