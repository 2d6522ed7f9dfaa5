import { ApiError, type ErrorCode, notFound, orNotFound } from "../domain/errors.ts";
import { ADMIN_ROLE, DEFAULT_ROLE, includesRole, type RoleName } from "../domain/roles.ts";
import type { Authorizer, DeclaredErrors } from "../http/route.ts";
import { identify } from "../log/who.ts";
import type { TokenAccount } from "../repositories/accounts/account-items.ts";
import type { AccountsRepository } from "../repositories/accounts/accounts.ts";
import { invalidToken, ownerByProvider, type TokenOwner, type Tokens } from "./tokens.ts";

export interface BearerDependencies {
  readonly tokens: Pick<Tokens, "verify">;
  readonly accounts: Pick<AccountsRepository, "getProfile">;
}

const bearerErrors = {
  401: { when: "The token is missing, expired or invalid", example: invalidToken() },
  404: { when: "The token names a user that does not exist", example: notFound("User") },
} satisfies DeclaredErrors;

/**
 * Lets in the owner of a valid token. The account is read from the store, so that changes of it take effect at once
 * (docs/adr/0033); what an identity provider's token says is taken from it (docs/adr/0038).
 */
export const bearer: Authorizer<BearerDependencies, TokenOwner> = {
  scheme: "bearer",
  errors: bearerErrors,
  authorize: accountOf,
};

/** The same for the service's own accounts only, with the token's version, which changes of the account require. */
export const ownAccount: Authorizer<BearerDependencies, TokenAccount> = {
  ...bearer,
  authorize: tokenAccountOf,
};

/** Lets in accounts with a role, and administrators. */
export function withRole(role: RoleName): Authorizer<BearerDependencies, TokenOwner> {
  if (role === DEFAULT_ROLE) return bearer;
  const required = () =>
    new ApiError("Forbidden", `${role.charAt(0).toUpperCase()}${role.slice(1)} access required`);
  const who = role === ADMIN_ROLE ? "not an administrator" : `neither ${role} nor administrator`;
  return {
    scheme: "bearer",
    role,
    errors: { ...bearerErrors, 403: { when: `The user is ${who}`, example: required() } },
    authorize: async (headers, dependencies) => {
      const account = await accountOf(headers, dependencies);
      if (!includesRole(account.role, role)) throw required();
      return account;
    },
  };
}

export const admin = withRole(ADMIN_ROLE);

const refusals: ReadonlySet<ErrorCode> = new Set(["Unauthorized", "Forbidden", "NotFound"]);

/** Lets everybody in. The token is read only when the handler asks whether it is an administrator's. */
export const anyone: Authorizer<BearerDependencies, () => Promise<boolean>> = {
  scheme: "bearer",
  isOptional: true,
  errors: {},
  authorize: async (headers, dependencies) => async () => {
    const isAdmin = admin.authorize(headers, dependencies).then(() => true);
    return isAdmin.catch((error) => {
      if (error instanceof ApiError && refusals.has(error.code)) return false;
      throw error;
    });
  },
};

type Headers = Readonly<Record<string, string>>;

async function accountOf(headers: Headers, dependencies: BearerDependencies): Promise<TokenOwner> {
  const owner = await ownerByProvider(parseBearerToken(headers.authorization));
  if (owner) {
    identify(headers, owner.username);
    return owner;
  }
  const { tokenVersion: _, ...account } = await tokenAccountOf(headers, dependencies);
  return account;
}

async function tokenAccountOf(headers: Headers, { tokens, accounts }: BearerDependencies) {
  const { username, version } = await tokens.verify(parseBearerToken(headers.authorization));
  // Also of a token that has ended, such as a stolen one.
  identify(headers, username);
  const found = orNotFound(await accounts.getProfile(username), "User");
  if (found === "deleted" || found.tokenVersion !== version) throw invalidToken();
  return found;
}

/** The scheme is case-insensitive (RFC 9110, 11.1). */
function parseBearerToken(authorization = ""): string {
  const [, token] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  if (token === undefined) throw invalidToken();
  return token;
}
