import * as z from "zod/mini";
import { type BearerDependencies, ownAccount } from "../../lib/auth/authorizers.ts";
import { type Passwords, refuseMostUsed } from "../../lib/auth/passwords.ts";
import { invalidToken, type Tokens, unauthorized } from "../../lib/auth/tokens.ts";
import { ApiError } from "../../lib/domain/errors.ts";
import { tooManyConflicts } from "../../lib/dynamodb/contention.ts";
import { response, routeBuilder } from "../../lib/http/route.ts";
import { identifyTried } from "../../lib/log/who.ts";
import type { StoredAccount, TokenAccount } from "../../lib/repositories/accounts/account-items.ts";
import type { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { type LoginThrottle, tooManyAttempts } from "../../lib/repositories/accounts/login-throttle.ts";
import { OwnPassword, PasswordChange, SECRET, Token } from "../../lib/validators/account.ts";
import { withMetadata } from "../../lib/validators/metadata.ts";
import { textParameter } from "../../lib/validators/parameter.ts";

interface LoginDependencies extends BearerDependencies {
  readonly accounts: Pick<AccountsRepository, "getProfile" | "update" | "remove">;
  readonly loginThrottle: LoginThrottle;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
}

const route = routeBuilder<LoginDependencies>({ tag: "accounts", errorFormat: "detail", access: "public" });

const tooManyFailures = {
  when: "Too many failed logins; `Retry-After` says when to try again",
  example: tooManyAttempts(4_000),
};

// Not a 401, which tells a client that its token has ended.
const ownPasswordErrors = {
  403: { when: "The password is incorrect", example: wrongPassword() },
  429: tooManyFailures,
};

/**
 * What verifies a password. It has a function of its own, so that batches of registrations do not keep logins waiting.
 */
export const routes = [
  route("POST /auth/login", {
    operationId: "logIn",
    summary: "Log in with username and password",
    description:
      "Send the parameters in the body: query strings end up in logs. The token is valid for 30 minutes. After five " +
      "failures from one address for one username within 15 minutes, or 300 for any username, further attempts from " +
      "there must wait 1 to 30 seconds, or longer while the username is attacked from many addresses.",
    request: {
      query: z.object({
        username: textParameter(z.string(), "Case-sensitive"),
        password: textParameter(withMetadata(z.string(), SECRET), "Compared in the Unicode form NFKC"),
      }),
    },
    queryInBody: true,
    secretQuery: true,
    identify: identifyTried,
    responses: { 200: Token },
    errors: {
      401: { when: "Unknown username or incorrect password", example: wrongLogin() },
      429: tooManyFailures,
    },
    handle: async ({ query: { username, password }, address }, dependencies) => {
      const { accounts, passwords, tokens } = dependencies;
      const account = await verifyPassword(username, password, address, dependencies);
      if (account === undefined || account.loginsLeft === 0) throw wrongLogin();
      // Of two logins with a one-time password, one succeeds.
      if (account.loginsLeft !== undefined && !(await accounts.update(account, { loginsLeft: 0 })))
        throw wrongLogin();
      if (passwords.needsRehash(account.passwordHash))
        await accounts.update(account, { passwordHash: await passwords.hash(password) });
      return response(200, await tokenOf(username, account.tokenVersion, tokens));
    },
  }),
  route("PUT /users/me/password", {
    operationId: "changeOwnPassword",
    summary: "Change your password",
    description:
      "Ends all earlier tokens of the account, and returns a new one. The new password must differ from the current one. " +
      "Wrong passwords count as failed logins.",
    authorizer: ownAccount,
    request: { body: PasswordChange },
    responses: { 200: Token },
    errors: ownPasswordErrors,
    handle: async ({ caller, body: { password, new_password }, address }, dependencies) => {
      const { accounts, passwords, tokens } = dependencies;
      refuseMostUsed({ "body.new_password": new_password });
      const account = await verifyOwn(caller, password, address, dependencies);
      const passwordHash = await passwords.hash(new_password);
      const tokenVersion = account.tokenVersion + 1;
      if (!(await accounts.update(account, { passwordHash, tokenVersion, loginsLeft: null })))
        throw tooManyConflicts();
      return response(200, await tokenOf(caller.username, tokenVersion, tokens));
    },
  }),
  route("POST /users/me/deletion", {
    operationId: "deleteOwnAccount",
    summary: "Delete your account",
    description:
      "Ends all tokens of the account. Nobody can register its username again, and its records stay until an operator " +
      "erases them. Wrong passwords count as failed logins.",
    authorizer: ownAccount,
    request: { body: OwnPassword },
    responses: { 204: z.undefined() },
    errors: ownPasswordErrors,
    handle: async ({ caller, body: { password }, address }, dependencies) => {
      const account = await verifyOwn(caller, password, address, dependencies);
      if (!(await dependencies.accounts.remove(account))) throw tooManyConflicts();
      return response(204);
    },
  }),
];

/** @returns undefined for an unknown user or another password, which is counted */
async function verifyPassword(
  username: string,
  password: string,
  address: string,
  { loginThrottle, passwords }: LoginDependencies,
): Promise<StoredAccount | undefined> {
  const attempt = await loginThrottle.begin(username, address);
  const { account } = attempt;
  // Without an account it costs the same: the time must not reveal who has one.
  const isRight = await passwords.verify(password, account?.passwordHash);
  await (isRight ? attempt.succeeded() : attempt.failed());
  return isRight ? account : undefined;
}

/** @throws ApiError `Forbidden` for another password, `Unauthorized` if the token has ended meanwhile */
async function verifyOwn(
  { username, tokenVersion }: TokenAccount,
  password: string,
  address: string,
  dependencies: LoginDependencies,
): Promise<StoredAccount> {
  const account = await verifyPassword(username, password, address, dependencies);
  if (account === undefined) throw wrongPassword();
  if (account.tokenVersion !== tokenVersion) throw invalidToken();
  return account;
}

async function tokenOf(username: string, version: number, tokens: Tokens) {
  return { access_token: await tokens.issue(username, version), token_type: "bearer" } as const;
}

function wrongLogin(): ApiError {
  return unauthorized("Incorrect username or password");
}

function wrongPassword(): ApiError {
  return new ApiError("Forbidden", "Incorrect password");
}
