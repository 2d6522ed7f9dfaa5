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
import { boundedArray } from "../../lib/validators/bounded-array.ts";
import { AccountListQuery, cursorAfterUsername } from "../../lib/validators/cursor.ts";
import { textParameter } from "../../lib/validators/parameter.ts";
import { registerAccounts, registration, registrationErrors, withoutPassword } from "./registration.ts";

interface AccountsDependencies extends BearerDependencies {
  readonly accounts: AccountsRepository;
  readonly accountQueries: AccountQueries;
  readonly loginThrottle: LoginThrottle;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
}

const route = routeBuilder<AccountsDependencies>({ tag: "accounts", errorFormat: "detail" });

/** Accounts and login (specification, "Validated user creation" and "Authentication and account routes"). */
export const routes = [
  registration,
  route("POST /users/batch", {
    operationId: "registerAccounts",
    summary: "Register several accounts, all of them or none",
    description:
      "If a username or an e-mail is taken or occurs twice in the list, no account is registered and the 409 names " +
      "the first. Absent fields are returned as `null`, and passwords are not returned.",
    request: { body: boundedArray(UserCreate, { min: 1, max: MAX_BATCH_SIZE }) },
    secretFields: ["password"],
    responses: { 201: RegisteredUsers },
    errors: registrationErrors,
    handle: async ({ body, idempotency }, dependencies) => {
      const creation = await registerAccounts(body, dependencies, idempotency);
      return created(creation, { created: body.length, items: body.map(withoutPassword) });
    },
  }),
  route("POST /auth/login", {
    operationId: "logIn",
    summary: "Log in with username and password",
    description:
      "Send the parameters in the body: query strings end up in logs. The token is valid for 30 minutes. After five " +
      "failures from one address for one username within 15 minutes, or 300 for any username, further attempts from " +
      "there must wait 1 to 30 seconds, or longer while the username is attacked from many addresses.",
    request: {
      query: z.object({
        username: textParameter(z.string()).describe("Case-sensitive"),
        password: textParameter(z.string()).describe("Compared in the Unicode form NFKC"),
      }),
    },
    queryInBody: true,
    secretQuery: true,
    responses: { 200: Token },
    errors: {
      401: { when: "The user is unknown or the password differs", example: wrongLogin() },
      429: {
        when: "Too many failed logins; `Retry-After` says when to try again",
        example: tooManyAttempts(4_000),
      },
    },
    handle: async (
      { query: { username, password }, address },
      { accounts, loginThrottle, passwords, tokens },
    ) => {
      const attempt = await loginThrottle.begin(username, address);
      const { account } = attempt;
      // Without an account it costs the same: the time must not reveal who has one.
      const isRight = await passwords.verify(password, account?.passwordHash);
      if (account === undefined || !isRight) {
        await attempt.failed();
        throw wrongLogin();
      }
      await attempt.succeeded();
      if (passwords.needsRehash(account.passwordHash))
        await accounts.rehash(username, account.passwordHash, await passwords.hash(password));
      const token = { access_token: await tokens.issue(username), token_type: "bearer" } as const;
      return response(200, token);
    },
  }),
  route("GET /users/me", {
    operationId: "getOwnAccount",
    summary: "Get the account of the token",
    description: "The role is the account's current one, not the one at login.",
    authorizer: bearer,
    responses: { 200: Account },
    handle: async ({ caller }) => response(200, caller),
  }),
  route("GET /admin/users", {
    operationId: "listAccounts",
    summary: "List all accounts",
    description:
      "Administrators only. In the order of the usernames, upper case before lower case. User records are no " +
      "accounts and not included.",
    authorizer: admin,
    request: { query: AccountListQuery },
    responses: { 200: z.array(Account) },
    handle: async ({ query: { limit, cursor }, target }, { accountQueries }) => {
      const page = await accountQueries.list({ after: cursor, limit });
      const { records, headers } = limitToResponseSize(
        { records: page.records.map(accountView), hasMore: page.hasMore },
        target,
        cursorAfterUsername,
      );
      return response(200, records, headers);
    },
  }),
];

function wrongLogin(): ApiError {
  return unauthorized("Incorrect username or password");
}
