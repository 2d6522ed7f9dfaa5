import { covers, grantsOf, type Permission } from "../../../local/aws/iam.ts";
import type { PolicyStatement } from "../../../local/stack/model.ts";

/** The pairs of action and resource that a role grants for a service such as `dynamodb` and no request used. */
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
