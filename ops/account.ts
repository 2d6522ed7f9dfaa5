import { isDeepStrictEqual } from "node:util";
import { CommandError, UsageError } from "../cli/errors.ts";
import { readPassword } from "../cli/password.ts";
import { randomText } from "../cli/random-text.ts";
import { tablesWithIds } from "../functions/definitions.ts";
import { problemOf } from "../lib/auth/account-fields.ts";
import { Passwords } from "../lib/auth/passwords.ts";
import { DEFAULT_ROLE, roleNames } from "../lib/domain/roles.ts";
import { giveRecord } from "../lib/records/owners.ts";
import { lockOf, type StoredAccount } from "../lib/repositories/accounts/account-items.ts";
import { AccountQueries } from "../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository, type SavedAccount } from "../lib/repositories/accounts/accounts.ts";
import { isSubject } from "../lib/validators/account.ts";
import { forEachOf } from "./for-each-of.ts";
import { type OperatorContext, runOperatorCommand } from "./operator-command.ts";

const roleWidth = Math.max(6, ...roleNames.map(({ length }) => length));
const actions = ["list", "give", "lock", "unlock", "reset", "erase"] as const;

await runOperatorCommand({
  name: "account",
  description: `Creates an account, or changes an existing one. The API has no operation that grants a role: create the
first administrator with this command.

The password is prompted for without echo, or read from standard input if that is not a terminal. An
empty password leaves that of an existing account unchanged.

list prints all accounts. With give, the account becomes the owner of the records with --ids in
--area, for deployments whose access rules have owners. Records from before have none, and only
administrators see them.

lock ends its tokens and refuses logins until unlock. reset prints a password for one login, with
which its owner chooses another, and also unlocks. erase deletes the account, but not its records
(npm run person), and keeps its username from others.

The local run resets the password and the e-mail of the account admin at every start.`,
  arguments: { action: { type: "choice", choices: actions, description: "what to do, instead of saving" } },
  options: {
    username: {
      type: "string",
      placeholder: "name",
      description: "3 to 50 letters, digits and underscores; required except for list",
    },
    role: {
      type: "choice",
      choices: roleNames,
      description: `role of the account (default: ${DEFAULT_ROLE} for a new account, else unchanged)`,
    },
    email: { type: "string", placeholder: "address", description: "e-mail; required for a new account" },
    area: { type: "choice", choices: tablesWithIds, description: "give: whose records" },
    ids: { type: "string", placeholder: "list", description: "give: ids and ranges, such as 3,7-9" },
  },
  check(values) {
    if (values.action !== "list" && values.username === undefined)
      throw new UsageError("Missing --username <name>.");
    const { action, username = "", area, ids = "" } = values;
    // A provider's subject, too, can own records.
    if (!(action === "give" && isSubject(username))) checkField("username", values.username);
    checkField("email", values.email);
    if (action === "give" && !(area && /^\d{1,15}(-\d{1,15})?(,\d{1,15}(-\d{1,15})?)*$/.test(ids)))
      throw new UsageError("give needs --area, and --ids such as 3,7-9.");
  },
  async run({ username = "", role, email, action, area = "", ids = "" }, context) {
    const { stage } = context;
    if (action === "list") return list(context);
    const accounts = new AccountsRepository(stage.dynamodb, stage.table("accounts"));
    const before = await accounts.get(username);
    if (action === undefined) return save({ username, role, email }, before, accounts, context);
    if (action !== "give") return restrict(action, existing(before, username), accounts, context);
    if (!isSubject(username)) existing(before, username);
    return give(username, area, ids, context);
  },
});

function checkField(field: "username" | "email", value: string | undefined): void {
  const problem = value === undefined ? undefined : problemOf(field, value);
  if (problem) throw new UsageError(`Invalid --${field} "${value}": ${problem}.`);
}

async function save(
  {
    username,
    role,
    email,
  }: Pick<SavedAccount, "username"> & { role?: string | undefined; email?: string | undefined },
  before: StoredAccount | undefined,
  accounts: AccountsRepository,
  { progress, print }: OperatorContext,
): Promise<void> {
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
  progress(`Saving the account ${username}`);
  await accounts.save(after, (current) => {
    if (!isDeepStrictEqual(current, before)) throw justChanged(username);
  });
  print(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
}

async function list({ stage, print }: OperatorContext): Promise<void> {
  const accounts = new AccountQueries(stage.dynamodb, stage.table("accounts"));
  let after: string | undefined;
  do {
    const { records, next } = await accounts.list({ after });
    for (const { username, role, email } of records)
      print(`${username.padEnd(20)} ${role.padEnd(roleWidth)} ${email}`);
    after = next;
  } while (after !== undefined);
}

function existing(account: StoredAccount | undefined, username: string): StoredAccount {
  if (account) return account;
  throw new CommandError(`There is no account ${username}. Nothing was changed.`);
}

/** @throws {CommandError} if the account has changed since it was read */
async function restrict(
  action: Exclude<(typeof actions)[number], "give" | "list">,
  account: StoredAccount,
  accounts: AccountsRepository,
  { print }: OperatorContext,
): Promise<void> {
  const { username } = account;
  const done = { lock: "locked", unlock: "unlocked", reset: "reset the password of", erase: "erased" }[
    action
  ];
  // A digit and an uppercase letter, as registrations demand.
  const password = `A1${randomText(14)}`;
  const isDone = await {
    lock: () => accounts.update(account, lockOf(account)),
    unlock: () => accounts.update(account, { loginsLeft: null }),
    reset: async () =>
      accounts.update(account, {
        ...lockOf(account),
        passwordHash: await new Passwords().hash(password),
        loginsLeft: 1,
      }),
    erase: () => accounts.remove(account),
  }[action]();
  if (!isDone) throw justChanged(username);
  print(`${done.charAt(0).toUpperCase()}${done.slice(1)} the account ${username}.`);
  if (action === "reset") print(password);
}

function justChanged(username: string): CommandError {
  return new CommandError(`The account ${username} has just changed: repeat the command.`);
}

async function give(
  username: string,
  area: string,
  list: string,
  { stage, print }: OperatorContext,
): Promise<void> {
  const table = stage.table(area);
  let [given, missing] = [0, 0];
  await forEachOf(idsIn(list), "Not given (repeat the command with these)", async (id) => {
    if (await giveRecord(stage.dynamodb, table, id, username)) given += 1;
    else missing += 1;
  });
  print(`Gave ${given} of the ${area} to ${username}; ${missing} ids have no record.`);
}

function* idsIn(list: string): Generator<number> {
  for (const range of list.split(",")) {
    const [first = 0, last = first] = range.split("-").map(Number);
    for (let id = first; id <= last; id += 1) yield id;
  }
}

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
