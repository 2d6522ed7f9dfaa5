import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { ask } from "../cli/ask.ts";
import { CommandError, UsageError } from "../cli/errors.ts";
import { writeFileAtomic } from "../cli/write-file-atomic.ts";
import { tables, tablesWithIds } from "../functions/definitions.ts";
import { problemOf } from "../lib/auth/account-fields.ts";
import { transactGet } from "../lib/dynamodb/writes.ts";
import { recordKey } from "../lib/records/id-blocks.ts";
import type { StoredAccount } from "../lib/repositories/accounts/account-items.ts";
import { AccountsRepository } from "../lib/repositories/accounts/accounts.ts";
import { isSubject } from "../lib/validators/account.ts";
import { runOperatorCommand, waitOption } from "./operator-command.ts";
import { eraseAll, type Found, findRecords, modules, outside } from "./personal-records.ts";
import type { StageResources } from "./stage.ts";

await runOperatorCommand({
  name: "person",
  hasDryRun: true,
  description: `Exports or erases what is stored of a person: the account, the records that it owns
(${tablesWithIds.join(", ")}), records with its e-mail,
and posts of these as author.

export writes a file. erase shows what it will do and asks for the username; it locks the account, waits
until requests have ended, searches again, erases, searches again, and deletes the account at the end,
so that it can be repeated after an interruption. It writes what it has erased and left to a file, which
a repetition continues.`,
  arguments: {
    action: { type: "choice", choices: ["export", "erase"], isRequired: true, description: "what to do" },
    username: { type: "string", isRequired: true, description: "of the account, as it is or was" },
  },
  options: {
    email: { type: "string", placeholder: "address", description: "for a person whose account is gone" },
    file: {
      type: "string",
      placeholder: "path",
      description:
        "what to write (default: person-<username>-export-<time>.json or person-<username>-erase.json)",
    },
    wait: waitOption,
  },
  check({ username }) {
    const problem = isSubject(username) ? undefined : problemOf("username", username);
    if (problem) throw new UsageError(`Invalid username "${username}": ${problem}.`);
  },
  async run({ action, username, email, file, wait: seconds }, context) {
    const { stage, isDryRun, print, progress } = context;
    const accounts = new AccountsRepository(stage.dynamodb, stage.table("accounts"));
    const account = await accounts.get(username);
    const address = email ?? account?.email;
    const found = await findRecords(stage, username, address);
    print(`The account ${username}: ${account?.email ?? "none"}`);
    for (const [area, ids] of found) print(`${area}: ${ids.size === 0 ? "none" : idsOf([...ids], area)}`);
    if (isDryRun) return;
    const path = file ?? defaultFile(action, username);
    const write = (content: object) =>
      writeFileAtomic(path, `${JSON.stringify({ username, ...content }, undefined, 2)}\n`, 0o600);
    if (action === "export") {
      write({ ...(account && { account: withoutSecrets(account) }), ...(await contentsOf(stage, found)) });
      return print(`Wrote all of it to ${path}.`);
    }
    if ((await ask(`This cannot be undone. Erase it? Enter ${username}: `)) !== username)
      throw new CommandError("Nothing was changed.");
    const { account: wasErased, ...erased } = readReport(path, username);
    const hadAccount = account !== undefined || wasErased === true;
    const onFound = (all: Found) => {
      for (const each of newlyFound(all, found)) print(`Searched again and found ${each}`);
      addTo(erased, all);
      write({ erasing: { account: hadAccount, ...erased } });
    };
    // A file that cannot be written is noticed before anything is erased.
    onFound(found);
    const waitForRequests = async () => {
      progress(`Locked. Waiting ${seconds} seconds until requests have ended`);
      await wait(seconds * 1_000);
    };
    const erasure = { stage, progress, wait: waitForRequests, onFound };
    await eraseAll(accounts, username, address, erasure);
    const kept = Object.entries(tables).map(([area, { personal }]) => [area, personal?.kept]);
    const tombstone = hadAccount ? "the username, so that nobody else gets it" : undefined;
    write({
      erased: { account: hadAccount, ...erased },
      left: { account: tombstone, ...Object.fromEntries(kept), logs: "until they expire" },
    });
    print(`Erased, searched again and found nothing. Wrote what was erased and what is left to ${path}.`);
  },
});

function defaultFile(action: "export" | "erase", username: string): string {
  const time = action === "export" ? `-${new Date().toISOString().replaceAll(":", "-")}` : "";
  return `person-${username.replace(/\W+/g, "_")}-${action}${time}.json`;
}

/** What earlier runs have erased, or were about to when they were interrupted: ids by area. */
function readReport(path: string, username: string): { account?: true } & Record<string, number[]> {
  const report = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { username };
  if (report.username === username) return { ...report.erasing, ...report.erased };
  throw new CommandError(`${path} is about another person: name another --file. Nothing was changed.`);
}

/** The ids by area that were not known before, in words. */
function newlyFound(all: Found, known: Found): string[] {
  return [...all].flatMap(([area, ids]) => {
    const more = [...ids].filter((id) => !known.get(area)?.has(id));
    return more.length > 0 ? [`${area}: ${idsOf(more, area)}`] : [];
  });
}

/** Adds found ids to those of a report, in their order. */
function addTo(erased: Record<string, number[]>, found: Found): void {
  for (const [area, ids] of found)
    erased[area] = [...new Set([...(erased[area] ?? []), ...ids])].sort((a, b) => a - b);
}

async function contentsOf(stage: StageResources, found: Found) {
  const contents: Record<string, unknown[]> = {};
  for (const [area, ids] of found)
    for (const id of ids) {
      const partKey = modules[area]?.stored?.partKey;
      const keys = [recordKey(id), ...(partKey ? [partKey(id)] : [])];
      const [record, part] = await transactGet(stage.dynamodb, stage.table(area), keys);
      const more = record && (await outside[area]?.read(record, stage));
      const { pk: _, sk: __, ...content } = { ...record, ...part, ...more };
      contents[area] = [...(contents[area] ?? []), { id, ...(record ? content : { deleted: true }) }];
    }
  return contents;
}

function withoutSecrets({ username, email, role, age, website }: StoredAccount) {
  return { username, email, role, age, website };
}

function idsOf(found: readonly number[], area: string): string {
  const ids = found.toSorted((a, b) => a - b);
  const kept = tables[area]?.personal?.kept;
  return `${ids.length} (${ids.slice(0, 20).join(", ")}${ids.length > 20 ? ", …" : ""})${kept ? `, which stay ${kept}` : ""}`;
}
