import { Passwords } from "../lib/auth/passwords.ts";
import { AccountsRepository } from "../lib/repositories/accounts/accounts.ts";
import { ADMIN_ROLE, DEFAULT_ROLE, type StoredAccount, UserCreate } from "../lib/validators/account.ts";
import { CommandError, UsageError } from "./cli/errors.ts";
import { refuseOperands, runCommand } from "./cli/operator-command.ts";
import { readPassword } from "./cli/password.ts";

const roles = [DEFAULT_ROLE, ADMIN_ROLE];

await runCommand({
  name: "account",
  synopsis: "--username ada [--role admin] [--email ada@example.com]",
  help: `Creates an account, or changes the one that has this username. No operation of the API gives a role: the first
administrator is made here.

The password is asked for without echo, or read from standard input where that is no terminal. For an account
that exists, an empty one keeps the password that it has.

  --username  3 to 50 letters, digits and underscores
  --role      ${roles.join(" or ")}; unless given, ${DEFAULT_ROLE} for a new account, and unchanged for another
  --email     needed for a new account

The local run gives the account admin its own password and e-mail again whenever it starts.`,
  options: { username: { type: "string" }, role: { type: "string" }, email: { type: "string" } },
  check({ username, role, email }, operands) {
    refuseOperands(operands);
    if (username === undefined) throw new UsageError("Give --username.");
    refuseInvalid("username", username);
    if (email !== undefined) refuseInvalid("email", email);
    if (role !== undefined && !roles.includes(role))
      throw new UsageError(`There is no role "${role}": --role ${roles.join(" or ")}.`);
  },
  async run({ options: { username = "", role, email }, stage, isDryRun, progress, print }) {
    const accounts = new AccountsRepository(stage.dynamodb, stage.table("accounts"));
    const before = await accounts.get(username);
    const newEmail = email ?? before?.email;
    if (newEmail === undefined)
      throw new UsageError(`There is no account ${username} yet: give its --email.`);
    const password = await readPassword(
      process.stdin,
      process.stderr,
      before ? `New password of ${username} (empty: unchanged)` : `Password of ${username}`,
    );
    const wrong = password === "" && before ? undefined : complaint("password", password);
    if (wrong !== undefined)
      throw new CommandError(`The password does not fit: ${wrong}. Nothing is changed.`);

    const passwords = new Passwords();
    const isSame = before && (password === "" || (await passwords.verify(password, before.passwordHash)));
    const after = {
      username,
      email: newEmail,
      role: role ?? before?.role ?? DEFAULT_ROLE,
      passwordHash: isSame ? before.passwordHash : await passwords.hash(password),
    };
    const done = changes(before, after);
    if (done === "") {
      print(`The account ${username} is like that already.`);
      return;
    }
    if (isDryRun) {
      print(`Would have ${done}.`);
      return;
    }
    progress(`Saving the account ${username}`);
    await accounts.save(after);
    print(`${done.charAt(0).toUpperCase()}${done.slice(1)}.`);
  },
});

/** What saving does, in words; empty where it does nothing. */
function changes(before: StoredAccount | undefined, after: Omit<StoredAccount, "age" | "website">): string {
  const { username, email, role, passwordHash } = after;
  if (before === undefined) return `created the account ${username} with the role ${role}`;
  const changed = [
    ...(before.role === role ? [] : [`role of ${username} from ${before.role} to ${role}`]),
    ...(before.passwordHash === passwordHash ? [] : [`password of ${username}`]),
    ...(before.email === email ? [] : [`e-mail of ${username} to ${email}`]),
  ];
  return changed.length === 0 ? "" : `changed the ${changed.join(" and the ")}`;
}

function refuseInvalid(field: "username" | "email", value: string): void {
  const wrong = complaint(field, value);
  if (wrong !== undefined) throw new UsageError(`The ${field} "${value}" does not fit: ${wrong}.`);
}

/** What registering would say of a value; undefined where it would take it. It never repeats the value. */
function complaint(field: "username" | "email" | "password", value: string): string | undefined {
  const { error } = UserCreate.shape[field].safeParse(value);
  return error?.issues.map(({ message }) => message).join("; ");
}
