import * as z from "zod/mini";
import { admin, type BearerDependencies, bearer } from "../../lib/auth/authorizers.ts";
import { type Passwords, refuseMostUsed } from "../../lib/auth/passwords.ts";
import { listResponse } from "../../lib/http/pagination.ts";
import { created, response, routeBuilder } from "../../lib/http/route.ts";
import { identifyTried } from "../../lib/log/who.ts";
import type { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { type AccountsRepository, MAX_BATCH_SIZE } from "../../lib/repositories/accounts/accounts.ts";
import { Account, RegisteredUsers, UserCreate } from "../../lib/validators/account.ts";
import { AccountListQuery, byUsername } from "../../lib/validators/cursor.ts";
import { boundedArray } from "../../lib/validators/preprocess.ts";
import { registerAccounts, registration, registrationErrors, withoutPassword } from "./registration.ts";

interface AccountsDependencies extends BearerDependencies {
  readonly accounts: AccountsRepository;
  readonly accountQueries: AccountQueries;
  readonly passwords: Passwords;
}

const route = routeBuilder<AccountsDependencies>({
  tag: "accounts",
  errorFormat: "detail",
});

/** Accounts (specification, "Validated user creation" and "Authentication and account routes"). */
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
    identify: identifyTried,
    responses: { 201: RegisteredUsers },
    errors: registrationErrors,
    handle: async ({ body, idempotency }, dependencies) => {
      refuseMostUsed(Object.fromEntries(body.map(({ password }, i) => [`body.${i}.password`, password])));
      const creation = await registerAccounts(body, dependencies, idempotency);
      return created(creation, { created: body.length, items: body.map(withoutPassword) });
    },
  }),
  route("GET /users/me", {
    operationId: "getOwnAccount",
    summary: "Get your account",
    description: "The role is the account's current one, not the one at login.",
    authorizer: bearer,
    responses: { 200: Account },
    handle: async ({ caller: { name, ...account } }) =>
      response(200, name === undefined ? account : { ...account, username: name }),
  }),
  route("GET /admin/users", {
    operationId: "listAccounts",
    summary: "List all accounts",
    description: "Administrators only. Sorted by username, upper case before lower case.",
    authorizer: admin,
    request: { query: AccountListQuery },
    responses: { 200: z.array(Account) },
    handle: async ({ query: { limit, cursor }, target, budget }, { accountQueries }) => {
      const page = await accountQueries.list({ after: cursor, limit }, budget());
      return listResponse(page, target, byUsername);
    },
  }),
];
