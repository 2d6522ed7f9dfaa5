import * as z from "zod/mini";
import { ask } from "../cli/ask.ts";
import { CommandError, UsageError } from "../cli/errors.ts";
import { writeFileAtomic } from "../cli/write-file-atomic.ts";
import type { AreaPerson, Person, PersonalRecords } from "../functions/define-area.ts";
import { ofAreas } from "../functions/of-areas.ts";
import { problemOf } from "../lib/auth/account-fields.ts";
import type { StoredAccount } from "../lib/repositories/accounts/account-items.ts";
import { AccountsRepository } from "../lib/repositories/accounts/accounts.ts";
import { RecordRepository } from "../lib/repositories/records/record-repository.ts";
import { type OperatorContext, runOperatorCommand } from "./operator-command.ts";
import type { StageResources } from "./stage.ts";

const areas = new Map(Object.entries(await ofAreas<AreaPerson>("person")));
const names = [...areas.keys()].join(", ");

await runOperatorCommand({
  name: "person",
  description: `Exports or erases what is stored of a person: the account, the records that it owns
(${names}), user records with its e-mail, and posts of these as author.

export writes a file. erase shows what it will do and asks for the username; it locks the account,
erases records, and deletes the account at the end, so that it can be repeated after an interruption.
It writes what it has erased and left to a file.`,
  arguments: {
    action: { type: "choice", choices: ["export", "erase"], isRequired: true, description: "what to do" },
    username: { type: "string", isRequired: true, description: "of the account, as it is or was" },
  },
  options: {
    email: { type: "string", placeholder: "address", description: "for a person whose account is gone" },
    file: {
      type: "string",
      placeholder: "path",
      description: "what to write (default: person-<username>-<action>-<time>.json)",
    },
  },
  check({ username }) {
    const problem = problemOf("username", username);
    if (problem) throw new UsageError(`Invalid username "${username}": ${problem}.`);
  },
  async run({ action, username, email, file }, context) {
    const { stage, isDryRun, print } = context;
    const accounts = new AccountsRepository(stage.dynamodb, stage.table("accounts"));
    const account = await accounts.get(username);
    const found = await findRecords(stage, username, email ?? account?.email);
    print(`The account ${username}: ${account ? account.email : "none"}`);
    for (const [area, ids] of found) print(`${area}: ${ids.length === 0 ? "none" : idsOf(ids, area)}`);
    if (isDryRun) return;
    const path = file ?? `person-${username}-${action}-${new Date().toISOString().replaceAll(":", "-")}.json`;
    const write = (content: object) =>
      writeFileAtomic(path, `${JSON.stringify({ username, ...content }, undefined, 2)}\n`, 0o600);
    if (action === "export") {
      write({ account: account && withoutSecrets(account), ...(await contentsOf(stage, username, found)) });
      return print(`Wrote all of it to ${path}.`);
    }
    if ((await ask(`This cannot be undone. Erase it? Enter ${username}: `)) !== username)
      throw new CommandError("Nothing was changed.");
    // A file that cannot be written is noticed before anything is erased.
    write({ erasing: Object.fromEntries(found) });
    await eraseAll(accounts, username, found, context);
    const left = [...areas].flatMap(([area, { left }]) => (left ? [[area, left]] : []));
    const tombstone = account && "the username, so that nobody else gets it";
    write({
      erased: { account: account !== undefined, ...Object.fromEntries(found) },
      left: { account: tombstone, ...Object.fromEntries(left), logs: "until they expire" },
    });
    print(`Erased. Wrote what was erased and what is left to ${path}.`);
  },
});

type Found = ReadonlyMap<string, readonly number[]>;

/** The ids by area. Reads every user record and post. */
async function findRecords(stage: StageResources, username: string, email?: string): Promise<Found> {
  const found = new Map<string, Promise<readonly number[]>>();
  const idsIn: Person["idsIn"] = (area) => {
    const ids = found.get(area) ?? find(area);
    found.set(area, ids);
    return ids;
  };
  const find = async (area: string) => {
    const of = areas.get(area);
    if (of === undefined) return [];
    const table = stage.table(area);
    const owned = await ownedIn(stage, area).idsOf(username);
    const others = (email && (await of.find?.(stage.dynamodb, table, { email, idsIn }))) || [];
    return [...new Set([...owned, ...others])].sort((a, b) => a - b);
  };
  const entries = [...areas.keys()].map(async (area) => [area, await idsIn(area)] as const);
  return new Map(await Promise.all(entries));
}

async function contentsOf(stage: StageResources, username: string, found: Found) {
  const contents: Record<string, unknown[]> = {};
  for (const [area, ids] of found) {
    const records = openIn(stage, area, username);
    contents[area] = [];
    for (const id of ids) contents[area].push((await records.get(id)) ?? { id, deleted: true });
  }
  return contents;
}

/** The account is last: it names the e-mail by which a repetition finds the rest. */
async function eraseAll(
  accounts: AccountsRepository,
  username: string,
  found: Found,
  { stage, progress }: OperatorContext,
): Promise<void> {
  const changeAccount = async (change: (account: StoredAccount) => Promise<boolean>) => {
    const account = await accounts.get(username);
    if (account && !(await change(account)))
      throw new CommandError("The account has just changed: repeat the command.");
  };
  await changeAccount((account) =>
    accounts.update(account, { tokenVersion: account.tokenVersion + 1, loginsLeft: 0 }),
  );
  for (const [area, ids] of found) {
    progress(`Erasing ${ids.length} of the ${area}`);
    const records = openIn(stage, area, username);
    const owned = ownedIn(stage, area);
    for (const id of ids) {
      if (records.remove) await records.remove(id);
      else await owned.give(id, undefined);
      await owned.forget(id, username);
    }
  }
  await changeAccount((account) => accounts.remove(account));
}

/** As for an administrator: a removal also deletes the entry of the record's owner. */
function openIn(stage: StageResources, area: string, username: string): PersonalRecords {
  const owner = { username, seesAll: true };
  return (areas.get(area) as AreaPerson).open(stage.dynamodb, stage.table(area), owner);
}

function ownedIn(stage: StageResources, area: string) {
  return new RecordRepository(stage.dynamodb, stage.table(area), z.object({}));
}

function withoutSecrets({ username, email, role, age, website }: StoredAccount) {
  return { username, email, role, age, website };
}

function idsOf(ids: readonly number[], area: string): string {
  const { left } = areas.get(area) as AreaPerson;
  return `${ids.length} (${ids.slice(0, 20).join(", ")}${ids.length > 20 ? ", …" : ""})${left ? `, which stay ${left}` : ""}`;
}
