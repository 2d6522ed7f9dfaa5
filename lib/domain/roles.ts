interface Role {
  readonly seesAll?: true;
}

/** A line adds a role, whose name is also an access rule (docs/settings.md). Whoever registers is a `user`. */
export const roles = {
  user: {},
  admin: { seesAll: true },
} as const satisfies Readonly<Record<string, Role>> & { [Taken in "anyone" | "account" | "owner"]?: never };

export type RoleName = keyof typeof roles;
export const roleNames = Object.keys(roles) as RoleName[];
export const DEFAULT_ROLE = "user";
export const ADMIN_ROLE = "admin";

/** Whether accounts with a role, which may be none of the list any more, may do what another may. */
export function includesRole(role: string, other: RoleName): boolean {
  return [role, DEFAULT_ROLE].includes(other) || role === ADMIN_ROLE;
}

/** Whether an account with a role, which may be none of the list any more, sees the records of others. */
export function seesAll(role: string): boolean {
  const all: Readonly<Record<string, Role>> = roles;
  return all[role]?.seesAll ?? false;
}
