import type { Passwords } from "../../lib/auth/passwords.ts";
import { created, routeBuilder } from "../../lib/http/route.ts";
import {
  type AccountsRepository,
  alreadyTaken,
  type NewAccount,
} from "../../lib/repositories/accounts/accounts.ts";
import { RegisteredUser, UserCreate } from "../../lib/validators/account.ts";

interface RegistrationDependencies {
  readonly accounts: Pick<AccountsRepository, "register">;
  readonly passwords: Pick<Passwords, "hash">;
}

export const registrationErrors = {
  409: {
    when: "The username or the e-mail is taken",
    example: alreadyTaken("username", { username: "ada", email: "ada@example.com" }),
  },
};

const route = routeBuilder<RegistrationDependencies>({ tag: "accounts", errorFormat: "detail" });

/**
 * `POST /users/` (specification, "Validated user creation"). It is declared apart from the other routes because two
 * more functions serve it: the one of `POST /users`, and `fallback` (docs/adr/0001).
 */
export const registration = route("POST /users/", {
  operationId: "registerAccount",
  summary: "Register an account of the role user",
  description:
    "The path ends in a slash: `POST /users` without it creates a user record, which is no account and cannot log " +
    "in. Username and e-mail must be unique; only usernames are case-sensitive. Absent fields are returned as " +
    "`null`, and the password is not returned.",
  request: { body: UserCreate },
  responses: { 201: RegisteredUser },
  errors: registrationErrors,
  handle: async ({ body, idempotency }, { accounts, passwords }) => {
    const creation = await accounts.register(await newAccount(body, passwords), idempotency);
    return created(creation, withoutPassword(body));
  },
});

/** The account to be registered: what was submitted, with a hash instead of the password. */
export async function newAccount(user: UserCreate, passwords: Pick<Passwords, "hash">): Promise<NewAccount> {
  return { ...withoutPassword(user), passwordHash: await passwords.hash(user.password) };
}

export function withoutPassword({ username, email, age = null, website = null }: UserCreate): RegisteredUser {
  return { username, email, age, website };
}
