import * as z from "zod";
import { admin, type BearerServices, bearer } from "../../lib/auth/authorizers.ts";
import type { Passwords } from "../../lib/auth/passwords.ts";
import { type Tokens, unauthorized } from "../../lib/auth/tokens.ts";
import { fitting } from "../../lib/http/lists.ts";
import { answer, area } from "../../lib/http/route.ts";
import type { AccountLists } from "../../lib/repositories/account-lists.ts";
import { type AccountsRepository, MOST_AT_ONCE } from "../../lib/repositories/accounts.ts";
import type { Logins } from "../../lib/repositories/logins.ts";
import { Account, accountView, RegisteredUsers, Token, UserCreate } from "../../lib/schemas/account.ts";
import { cursorAfterName, NamedListQuery } from "../../lib/schemas/cursor.ts";
import { list } from "../../lib/schemas/list.ts";
import { textParameter } from "../../lib/schemas/parameter.ts";
import { conflicts, newAccount, registered, registration } from "./registration.ts";

/** What the account routes work with. */
export interface AccountsServices extends BearerServices {
  readonly accounts: AccountsRepository;
  readonly accountLists: AccountLists;
  readonly logins: Logins;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
}

const route = area<AccountsServices>({ tag: "accounts", dialect: "detail" });

/** Accounts and login (specification, "Validated user creation" and "Authentication and account routes"). */
export const accountsRoutes = [
  registration,
  route("POST /users/batch", {
    operationId: "registerAccounts",
    summary: "Register several accounts, all of them or none",
    body: list(UserCreate, { min: 1, max: MOST_AT_ONCE }),
    answers: { 201: RegisteredUsers },
    creates: true,
    failures: conflicts,
    handle: async ({ body, once }, { accounts, passwords }) => {
      const accountsToBe = await Promise.all(body.map((user) => newAccount(user, passwords)));
      await accounts.registerAll(accountsToBe, once);
      return answer(201, { created: body.length, items: body.map(registered) });
    },
  }),
  route("POST /auth/login", {
    operationId: "logIn",
    summary: "Log in with username and password",
    description:
      "The token is valid for 30 minutes. Give the parameters in the body: a query ends up in logs.",
    query: z.object({ username: textParameter(z.string()), password: textParameter(z.string()) }),
    queryInBody: true,
    secretQuery: true,
    answers: { 200: Token },
    answerHeaders: { 200: ["cache-control"], 401: ["www-authenticate"] },
    failures: {
      401: "The user is unknown or the password differs",
      429: "Too many logins failed before; `Retry-After` says when the next one is looked at",
    },
    handle: async ({ query: { username, password }, address }, { accounts, logins, passwords, tokens }) => {
      const attempt = await logins.begin(username, address);
      const { account } = attempt;
      // Without an account it costs the same: the time must not tell who has one.
      const isRight = await passwords.verify(password, account?.passwordHash);
      if (account === undefined || !isRight) {
        await attempt.failed();
        throw unauthorized("Incorrect username or password");
      }
      await attempt.succeeded();
      if (passwords.needsRehash(account.passwordHash))
        await accounts.rehash(username, account.passwordHash, await passwords.hash(password));
      const token = { access_token: await tokens.issue(username), token_type: "bearer" } as const;
      // RFC 6749, 5.1: no cache may keep a token.
      return answer(200, token, { "cache-control": "no-store" });
    },
  }),
  route("GET /users/me", {
    operationId: "getOwnAccount",
    summary: "Get the account that the token names",
    authorizer: bearer,
    answers: { 200: Account },
    handle: async ({ caller }) => answer(200, caller),
  }),
  route("GET /admin/users", {
    operationId: "listAccounts",
    summary: "List all accounts; for administrators",
    authorizer: admin,
    query: NamedListQuery,
    answers: { 200: z.array(Account) },
    goesOn: true,
    handle: async ({ query: { limit, cursor }, target }, { accountLists }) => {
      const { records: stored, hasMore } = await accountLists.slice({ after: cursor, limit });
      const slice = { records: stored.map(accountView), hasMore };
      const { records, headers } = fitting(slice, target, ({ username }) => cursorAfterName(username));
      return answer(200, records, headers);
    },
  }),
];
