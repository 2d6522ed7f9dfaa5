/** A statement of an identity-based policy, as far as it can be evaluated here: without conditions. */
export interface Statement {
  readonly effect: "Allow" | "Deny";
  /** Action patterns such as `dynamodb:Batch*`. */
  readonly actions: readonly string[];
  /** Resource patterns: ARNs in which `*` and `?` are wildcards. */
  readonly resources: readonly string[];
}

/** An action on a resource that a request needs to be allowed. */
export interface Permission {
  readonly action: string;
  readonly resource: string;
}

export type Verdict = "allowed" | "implicitly denied" | "explicitly denied";

/**
 * Evaluates a role's statements for one permission: a matching Deny wins, else a matching Allow, else it is
 * denied ("Policy evaluation logic" in the IAM user guide).
 *
 * @param statements all statements of the role's policies
 * @param permission the action and resource that a request needs
 */
export function evaluate(statements: readonly Statement[], permission: Permission): Verdict {
  const matching = statements.filter((statement) => covers(statement, permission));
  if (matching.some((statement) => statement.effect === "Deny")) return "explicitly denied";
  return matching.length > 0 ? "allowed" : "implicitly denied";
}

/**
 * Finds what a role may do and never did, for a test of least privilege.
 *
 * @param statements all statements of the role's policies
 * @param used the permissions that were needed and allowed
 * @param service whose actions count, such as `dynamodb`
 * @returns each pair of an action pattern and a resource pattern that allowed nothing
 */
export function findUnusedGrants(
  statements: readonly Statement[],
  used: readonly Permission[],
  service: string,
): Permission[] {
  return statements
    .filter((statement) => statement.effect === "Allow")
    .flatMap(({ actions, resources }) =>
      actions.flatMap((action) => resources.map((resource) => ({ action, resource }))),
    )
    .filter((grant) => grant.action.toLowerCase().startsWith(`${service}:`))
    .filter((grant) => !used.some((permission) => isGranted(grant, permission)));
}

/**
 * The line with which AWS refuses a request.
 *
 * @param principal the ARN of the caller's role session
 * @param permission what is not allowed
 * @param verdict why not
 */
export function denialMessage(principal: string, permission: Permission, verdict: Verdict): string {
  const reason =
    verdict === "explicitly denied"
      ? "with an explicit deny in an identity-based policy"
      : `because no identity-based policy allows the ${permission.action} action`;
  const { action, resource } = permission;
  return `User: ${principal} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}

function covers(statement: Statement, permission: Permission): boolean {
  return (
    statement.actions.some((action) => matches(action, permission.action, "i")) &&
    statement.resources.some((resource) => matches(resource, permission.resource, ""))
  );
}

function isGranted(grant: Permission, permission: Permission): boolean {
  return matches(grant.action, permission.action, "i") && matches(grant.resource, permission.resource, "");
}

/** Actions are compared without regard to case, resources with. */
function matches(pattern: string, text: string, flags: "i" | ""): boolean {
  if (pattern === "*" || pattern === text) return true;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, `s${flags}`).test(text);
}
