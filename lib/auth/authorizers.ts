import { Failure, unknownRecord } from "../domain/errors.ts";
import type { Authorizer, Failures } from "../http/route.ts";
import type { AccountsRepository } from "../repositories/accounts/accounts.ts";
import { type Account, ADMIN_ROLE, accountView } from "../validators/account.ts";
import { notValid, type Tokens } from "./tokens.ts";

/** What the bearer scheme works with. */
export interface BearerServices {
  readonly tokens: Pick<Tokens, "verify">;
  readonly accounts: Pick<AccountsRepository, "get">;
}

const bearerFailures = {
  401: { when: "The token is missing, expired or not valid", example: notValid() },
  404: { when: "The token names a user that does not exist", example: unknownRecord("User") },
} satisfies Failures;

/**
 * Lets in who carries a valid token of an existing account (specification, "Scheme 2: bearer token"). The role
 * is read from the store, never from the token: it counts from the moment it is given or taken.
 */
export const bearer: Authorizer<BearerServices, Account> = {
  scheme: "bearer",
  failures: bearerFailures,
  authorize: (headers, services) => callerOf(headers.authorization, services),
};

/** Lets in administrators alone (specification, "Scheme 2: bearer token"). */
export const admin: Authorizer<BearerServices, Account> = {
  scheme: "bearer",
  failures: { ...bearerFailures, 403: { when: "The user is no administrator", example: adminsOnly() } },
  authorize: async (headers, services) => {
    const caller = await callerOf(headers.authorization, services);
    if (caller.role !== ADMIN_ROLE) throw adminsOnly();
    return caller;
  },
};

function adminsOnly(): Failure {
  return new Failure("Forbidden", "Admin access required");
}

async function callerOf(
  authorization: string | undefined,
  { tokens, accounts }: BearerServices,
): Promise<Account> {
  const account = await accounts.get(await tokens.verify(tokenOf(authorization)));
  if (account === undefined) throw unknownRecord("User");
  return accountView(account);
}

/** The token in `Bearer <token>`; the scheme's case makes no difference (RFC 9110, 11.1). */
function tokenOf(authorization = ""): string {
  const [, token] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  if (token === undefined) throw notValid();
  return token;
}
