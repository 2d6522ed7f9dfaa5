import { CommandError, UsageError } from "../cli/errors.ts";
import { readPassword } from "../cli/password.ts";
import { problemOf } from "../lib/auth/account-fields.ts";
import { Passwords } from "../lib/auth/passwords.ts";
import { AccountsRepository, type SavedAccount } from "../lib/repositories/accounts/accounts.ts";
import { ADMIN_ROLE, DEFAULT_ROLE } from "../lib/validators/account.ts";
import { runOperatorCommand } from "./operator-command.ts";

await runOperatorCommand({
  name: "account",
  description: `Creates an account, or changes an existing one. The API has no operation that grants a role: create the
first administrator with this command.

The password is prompted for without echo, or read from standard input if that is no terminal. An
empty password leaves that of an existing account unchanged.

The local run resets the password and the e-mail of the account admin at every start.`,
  options: {
    username: {
      type: "string",
      isRequired: true,
      placeholder: "name",
      description: "3 to 50 letters, digits and underscores",
    },
    role: {
      type: "choice",
      choices: [DEFAULT_ROLE, ADMIN_ROLE],
      description: `role of the account (default: ${DEFAULT_ROLE} for a new account, else unchanged)`,
    },
    email: { type: "string", placeholder: "address", description: "e-mail; required for a new account" },
  },
  check(values) {
    for (const field of ["username", "email"] as const) {
      const value = values[field];
      const problem = value === undefined ? undefined : problemOf(field, value);
      if (problem) throw new UsageError(`Invalid --${field} "${value}": ${problem}.`);
    }
  },
  async run({ username, role, email }, { stage, isDryRun, progress, print }) {
    const accounts = new AccountsRepository(stage.dynamodb, stage.table("accounts"));
    const before = await accounts.get(username);
    const newEmail = email ?? before?.email;
    if (newEmail === undefined)
      throw new UsageError(`The account ${username} does not exist: add --email to create it.`);
    const password = await readPassword(
      process.stdin,
      process.stderr,
      before ? `New password of ${username} (empty: unchanged)` : `Password of ${username}`,
    );
    const problem = password === "" && before ? undefined : problemOf("password", password);
    if (problem !== undefined) throw new CommandError(`Invalid password: ${problem}. Nothing was changed.`);

    const passwords = new Passwords();
    const isSame = before && (password === "" || (await passwords.verify(password, before.passwordHash)));
    const after = {
      username,
      email: newEmail,
      role: role ?? before?.role ?? DEFAULT_ROLE,
      passwordHash: isSame ? before.passwordHash : await passwords.hash(password),
    };
    const summary = summarize(before, after);
    if (summary === undefined) return print(`The account ${username} is up to date.`);
    if (isDryRun) return print(`Would have ${summary}.`);
    progress(`Saving the account ${username}`);
    await accounts.save(after);
    print(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  },
});

function summarize(before: SavedAccount | undefined, after: SavedAccount): string | undefined {
  const { username, email, role, passwordHash } = after;
  if (before === undefined) return `created the account ${username} with the role ${role}`;
  const changes = [
    ...(before.role === role ? [] : [`role of ${username} from ${before.role} to ${role}`]),
    ...(before.passwordHash === passwordHash ? [] : [`password of ${username}`]),
    ...(before.email === email ? [] : [`e-mail of ${username} to ${email}`]),
  ];
  return changes.length === 0 ? undefined : `changed the ${changes.join(" and the ")}`;
}
