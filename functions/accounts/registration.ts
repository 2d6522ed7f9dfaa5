import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { Passwords, refuseMostUsed } from "../../lib/auth/passwords.ts";
import type { Creation, IdempotencyContext } from "../../lib/domain/idempotency.ts";
import { created, routeBuilder } from "../../lib/http/route.ts";
import { identifyTried } from "../../lib/log/who.ts";
import {
  AccountsRepository,
  alreadyTaken,
  type NewAccount,
} from "../../lib/repositories/accounts/accounts.ts";
import { tableName } from "../../lib/settings.ts";
import { RegisteredUser, UserCreate } from "../../lib/validators/account.ts";

interface RegistrationDependencies {
  readonly accounts: Pick<AccountsRepository, "checkRegistration" | "registerAll">;
  readonly passwords: Pick<Passwords, "hash">;
}

export const registrationErrors = {
  409: {
    when: "The username or the e-mail is taken",
    example: alreadyTaken("username", { username: "ada", email: "ada@example.com" }),
  },
};

const route = routeBuilder<RegistrationDependencies>({
  tag: "accounts",
  errorFormat: "detail",
});

/** Declared apart from the other routes, because two more functions serve it (docs/adr/0001). */
export const registration = route("POST /users/", {
  operationId: "registerAccount",
  summary: "Register an account with the role user",
  description:
    "The path ends in a slash. Username and e-mail must be unique, ignoring case. Absent fields are returned as " +
    "`null`, and the password is not returned.",
  request: { body: UserCreate },
  secretFields: ["password"],
  identify: identifyTried,
  responses: { 201: RegisteredUser },
  errors: registrationErrors,
  dependencies: (client: DynamoDBClient) => ({
    accounts: new AccountsRepository(client, tableName("accounts")),
    passwords: new Passwords(),
  }),
  handle: async ({ body, idempotency }, dependencies) => {
    refuseMostUsed({ "body.password": body.password });
    return created(await registerAccounts([body], dependencies, idempotency), withoutPassword(body));
  },
});

/**
 * Registers all accounts, or none. Everything cheap is checked first. A taken name is reported after hashing the
 * passwords before it, as with single registrations. One hash at a time leaves threads to logins.
 */
export async function registerAccounts(
  users: readonly UserCreate[],
  { accounts, passwords }: RegistrationDependencies,
  idempotency: IdempotencyContext | undefined,
): Promise<Creation<readonly RegisteredUser[]>> {
  const record = users.map(withoutPassword);
  const found = await accounts.checkRegistration(record, idempotency, reservedUsernames());
  if (found === "replay") return { record, replayed: true };
  const newAccounts: NewAccount[] = [];
  for (const user of users.slice(0, found?.index))
    newAccounts.push({ ...withoutPassword(user), passwordHash: await passwords.hash(user.password) });
  if (found) throw found.error;
  const { replayed } = await accounts.registerAll(newAccounts, idempotency);
  return { record, replayed };
}

export function withoutPassword({ username, email, age = null, website = null }: UserCreate): RegisteredUser {
  return { username, email, age, website };
}

/** Those that the deployment adds (functions/accounts/settings.ts). */
function reservedUsernames(): readonly string[] {
  return (process.env.RESERVED_USERNAMES ?? "").split(",");
}
