import { covers, grantsOf, type Permission } from "../../../local/aws/iam.ts";
import type { PolicyStatement } from "../../../local/stack/model.ts";

/**
 * Finds permissions that a role has and never used.
 *
 * @param used the permissions that requests needed and were allowed
 * @param service whose actions count, such as `dynamodb`
 * @returns the pairs of an action pattern and a resource pattern that covered no request
 */
export function findUnusedGrants(
  statements: readonly PolicyStatement[],
  used: readonly Permission[],
  service: string,
): Permission[] {
  return statements
    .filter(({ effect }) => effect === "Allow")
    .flatMap(grantsOf)
    .filter(({ action }) => action.toLowerCase().startsWith(`${service}:`))
    .filter((grant) => !used.some((permission) => covers(grant, permission)));
}
