import * as z from "zod";
import { admin, type BearerDependencies, bearer } from "../../lib/auth/authorizers.ts";
import type { Passwords } from "../../lib/auth/passwords.ts";
import { type Tokens, unauthorized } from "../../lib/auth/tokens.ts";
import type { ApiError } from "../../lib/domain/errors.ts";
import { limitToResponseSize } from "../../lib/http/pagination.ts";
import { created, response, routeBuilder } from "../../lib/http/route.ts";
import type { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { type AccountsRepository, MAX_BATCH_SIZE } from "../../lib/repositories/accounts/accounts.ts";
import { type LoginThrottle, tooManyAttempts } from "../../lib/repositories/accounts/login-throttle.ts";
import { Account, accountView, RegisteredUsers, Token, UserCreate } from "../../lib/validators/account.ts";
import { cursorAfterName, NamedListQuery } from "../../lib/validators/cursor.ts";
import { boundedArray } from "../../lib/validators/list.ts";
import { textParameter } from "../../lib/validators/parameter.ts";
import { conflicts, newAccount, registered, registration } from "./registration.ts";

/** What the account routes work with. */
export interface AccountsDependencies extends BearerDependencies {
  readonly accounts: AccountsRepository;
  readonly accountLists: AccountQueries;
  readonly logins: LoginThrottle;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
}

const route = routeBuilder<AccountsDependencies>({ tag: "accounts", errorFormat: "detail" });

/** Accounts and login (specification, "Validated user creation" and "Authentication and account routes"). */
export const accountsRoutes = [
  registration,
  route("POST /users/batch", {
    operationId: "registerAccounts",
    summary: "Register several accounts, all of them or none",
    description:
      "A username or an e-mail that is taken, or comes twice in the list, refuses all of them; the 409 names the " +
      "first. What was not given is answered as `null`, and the password not at all.",
    body: boundedArray(UserCreate, { min: 1, max: MAX_BATCH_SIZE }),
    responses: { 201: RegisteredUsers },
    creates: true,
    errors: conflicts,
    handle: async ({ body, idempotency }, { accounts, passwords }) => {
      const accountsToBe = await Promise.all(body.map((user) => newAccount(user, passwords)));
      const creation = await accounts.registerAll(accountsToBe, idempotency);
      return created({ created: body.length, items: body.map(registered) }, creation);
    },
  }),
  route("POST /auth/login", {
    operationId: "logIn",
    summary: "Log in with username and password",
    description:
      "Give the parameters in the body: a query ends up in logs. The token is valid for 30 minutes. After five " +
      "failures from one address at one username within a quarter of an hour, or a hundred from all, the next " +
      "login is looked at after a delay of 1 to 30 seconds.",
    query: z.object({
      username: textParameter(z.string()).describe("Upper and lower case differ"),
      password: textParameter(z.string()).describe("Compared in Unicode's form NFKC"),
    }),
    queryInBody: true,
    secretQuery: true,
    responses: { 200: Token },
    responseHeaders: { 200: ["cache-control"] },
    errors: {
      401: { when: "The user is unknown or the password differs", example: wrongLogin() },
      429: {
        when: "Too many logins failed before; `Retry-After` says when the next one is looked at",
        example: tooManyAttempts(4_000),
      },
    },
    handle: async ({ query: { username, password }, address }, { accounts, logins, passwords, tokens }) => {
      const attempt = await logins.begin(username, address);
      const { account } = attempt;
      // Without an account it costs the same: the time must not tell who has one.
      const isRight = await passwords.verify(password, account?.passwordHash);
      if (account === undefined || !isRight) {
        await attempt.failed();
        throw wrongLogin();
      }
      await attempt.succeeded();
      if (passwords.needsRehash(account.passwordHash))
        await accounts.rehash(username, account.passwordHash, await passwords.hash(password));
      const token = { access_token: await tokens.issue(username), token_type: "bearer" } as const;
      // RFC 6749, 5.1: no cache may keep a token.
      return response(200, token, { "cache-control": "no-store" });
    },
  }),
  route("GET /users/me", {
    operationId: "getOwnAccount",
    summary: "Get the account that the token names",
    description: "The role is the one that the account has now, not the one of the login.",
    authorizer: bearer,
    responses: { 200: Account },
    handle: async ({ caller }) => response(200, caller),
  }),
  route("GET /admin/users", {
    operationId: "listAccounts",
    summary: "List all accounts; for administrators",
    description:
      "In the order of the usernames, capitals before small letters. User records are no accounts, and not " +
      "among them.",
    authorizer: admin,
    query: NamedListQuery,
    responses: { 200: z.array(Account) },
    goesOn: true,
    handle: async ({ query: { limit, cursor }, target }, { accountLists }) => {
      const { records: stored, hasMore } = await accountLists.list({ after: cursor, limit });
      const slice = { records: stored.map(accountView), hasMore };
      const { records, headers } = limitToResponseSize(slice, target, ({ username }) =>
        cursorAfterName(username),
      );
      return response(200, records, headers);
    },
  }),
];

function wrongLogin(): ApiError {
  return unauthorized("Incorrect username or password");
}
