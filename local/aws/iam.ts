import type { ConditionKey, PolicyCondition, PolicyStatement } from "../stack/model.ts";

/** An action on a resource: what a request needs, or a pattern of what a policy allows. */
export interface Permission {
  readonly action: string;
  readonly resource: string;
  /** What conditions can be about. A condition on a missing key does not hold. */
  readonly context?: Readonly<Partial<Record<ConditionKey, readonly string[]>>>;
}

type Decision = "allowed" | "implicitly denied" | "explicitly denied";

/** A matching Deny wins, then a matching Allow ("Policy evaluation logic" in the IAM user guide). */
export function evaluate(statements: readonly PolicyStatement[], permission: Permission): Decision {
  const effects = statements
    .filter((statement) => grantsOf(statement).some((grant) => covers(grant, permission)))
    .filter(({ conditions = [] }) => conditions.every((condition) => holds(condition, permission)))
    .map(({ effect }) => effect);
  if (effects.includes("Deny")) return "explicitly denied";
  return effects.includes("Allow") ? "allowed" : "implicitly denied";
}

export function denialMessage(principal: string, permission: Permission, decision: Decision): string {
  const { action, resource } = permission;
  const reason =
    decision === "explicitly denied"
      ? "with an explicit deny in an identity-based policy"
      : `because no identity-based policy allows the ${action} action`;
  return `User: ${principal} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}

export function grantsOf({ actions, resources }: PolicyStatement): Permission[] {
  return actions.flatMap((action) => resources.map((resource) => ({ action, resource })));
}

function holds({ key, patterns }: PolicyCondition, { context }: Permission): boolean {
  const values = context?.[key];
  return values?.every((value) => patterns.some((pattern) => matches(pattern, value))) ?? false;
}

/** IAM compares actions case-insensitively and resources case-sensitively. */
export function covers(grant: Permission, { action, resource }: Permission): boolean {
  return matches(grant.action.toLowerCase(), action.toLowerCase()) && matches(grant.resource, resource);
}

function matches(pattern: string, text: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === text;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "s").test(text);
}
