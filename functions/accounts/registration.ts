import type { Passwords } from "../../lib/auth/passwords.ts";
import { created, routeBuilder } from "../../lib/http/route.ts";
import {
  type AccountsRepository,
  alreadyTaken,
  type NewAccount,
} from "../../lib/repositories/accounts/accounts.ts";
import { RegisteredUser, UserCreate } from "../../lib/validators/account.ts";

/** What registering works with. */
export interface RegistrationDependencies {
  readonly accounts: Pick<AccountsRepository, "register">;
  readonly passwords: Pick<Passwords, "hash">;
}

export const conflicts = {
  409: {
    when: "The username or the e-mail is taken",
    example: alreadyTaken("username", { username: "ada", email: "ada@example.com" }),
  },
};

const route = routeBuilder<RegistrationDependencies>({ tag: "accounts", errorFormat: "detail" });

/**
 * `POST /users/` (specification, "Validated user creation"). It is declared apart from the other routes since
 * two more functions hold it: the one behind `POST /users`, and `fallback` (docs/adr/0001).
 */
export const registration = route("POST /users/", {
  operationId: "registerAccount",
  summary: "Register an account of the role user",
  description:
    "The path ends in a slash: `POST /users` without it creates a user record, which is no account and cannot log " +
    "in. Upper and lower case differ in usernames and not in e-mails; both have to be free. What was not given is " +
    "answered as `null`, and the password not at all.",
  body: UserCreate,
  responses: { 201: RegisteredUser },
  creates: true,
  errors: conflicts,
  handle: async ({ body, idempotency }, { accounts, passwords }) => {
    const creation = await accounts.register(await newAccount(body, passwords), idempotency);
    return created(registered(body), creation);
  },
});

/** The account of somebody who registers: what was submitted, with a hash for the password. */
export async function newAccount(user: UserCreate, passwords: Pick<Passwords, "hash">): Promise<NewAccount> {
  return { ...registered(user), passwordHash: await passwords.hash(user.password) };
}

/** The submitted data without the password. */
export function registered({ username, email, age = null, website = null }: UserCreate): RegisteredUser {
  return { username, email, age, website };
}
