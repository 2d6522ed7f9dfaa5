import { ApiError, notFound } from "../domain/errors.ts";
import type { Authorizer, DeclaredErrors } from "../http/route.ts";
import type { AccountsRepository } from "../repositories/accounts/accounts.ts";
import { type Account, ADMIN_ROLE, accountView } from "../validators/account.ts";
import { invalidToken, type Tokens } from "./tokens.ts";

/** What the bearer scheme works with. */
export interface BearerDependencies {
  readonly tokens: Pick<Tokens, "verify">;
  readonly accounts: Pick<AccountsRepository, "get">;
}

const bearerFailures = {
  401: { when: "The token is missing, expired or not valid", example: invalidToken() },
  404: { when: "The token names a user that does not exist", example: notFound("User") },
} satisfies DeclaredErrors;

/**
 * Lets in who carries a valid token of an existing account (specification, "Scheme 2: bearer token"). The role
 * is read from the store, never from the token: it counts from the moment it is given or taken.
 */
export const bearer: Authorizer<BearerDependencies, Account> = {
  scheme: "bearer",
  errors: bearerFailures,
  authorize: (headers, services) => callerOf(headers.authorization, services),
};

/** Lets in administrators alone (specification, "Scheme 2: bearer token"). */
export const admin: Authorizer<BearerDependencies, Account> = {
  scheme: "bearer",
  errors: { ...bearerFailures, 403: { when: "The user is no administrator", example: adminsOnly() } },
  authorize: async (headers, services) => {
    const caller = await callerOf(headers.authorization, services);
    if (caller.role !== ADMIN_ROLE) throw adminsOnly();
    return caller;
  },
};

function adminsOnly(): ApiError {
  return new ApiError("Forbidden", "Admin access required");
}

async function callerOf(
  authorization: string | undefined,
  { tokens, accounts }: BearerDependencies,
): Promise<Account> {
  const account = await accounts.get(await tokens.verify(tokenOf(authorization)));
  if (account === undefined) throw notFound("User");
  return accountView(account);
}

/** The token in `Bearer <token>`; the scheme's case makes no difference (RFC 9110, 11.1). */
function tokenOf(authorization = ""): string {
  const [, token] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  if (token === undefined) throw invalidToken();
  return token;
}
