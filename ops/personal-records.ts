import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { CommandError } from "../cli/errors.ts";
import * as areas from "../functions/areas.ts";
import type { AreaModule, AreaPersonal } from "../functions/define-area.ts";
import { tables, tablesWithIds } from "../functions/definitions.ts";
import { ofAreas } from "../functions/of-areas.ts";
import type { Owner } from "../lib/domain/ownership.ts";
import { tooManyConflicts } from "../lib/dynamodb/contention.ts";
import { transact } from "../lib/dynamodb/writes.ts";
import { giveRecord, idsOfOwner, ownerEntry } from "../lib/records/owners.ts";
import { RecordRepository } from "../lib/records/record-repository.ts";
import { lockOf, type StoredAccount } from "../lib/repositories/accounts/account-items.ts";
import type { AccountsRepository } from "../lib/repositories/accounts/accounts.ts";
import { forEachOf } from "./for-each-of.ts";
import type { OperatorContext } from "./operator-command.ts";
import type { StageResources } from "./stage.ts";

type Tables = Pick<StageResources, "dynamodb" | "table" | "resource" | "clientConfig">;

export const modules: Readonly<Record<string, AreaModule>> = areas;

/** What areas have of their records outside of the tables. */
export const outside = await ofAreas<AreaPersonal>("personal");

export type Found = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * The ids by area. Reads every record that can be the person's without its account as owner.
 *
 * @param earlier user records that are erased, whose posts are the person's as well
 */
export async function findRecords(
  stage: Tables,
  username: string,
  email?: string,
  earlier?: Found,
): Promise<Found> {
  const found = new Map<string, Set<number>>();
  for (const area of tablesWithIds)
    found.set(area, new Set(await idsOfOwner(stage.dynamodb, stage.table(area), username)));
  // Fields name the user records with the e-mail.
  for (const kind of ["emailField", "userField"] as const)
    for (const [area, ids] of found) {
      const field = tables[area]?.personal?.[kind];
      if (field === undefined || email === undefined) continue;
      await recordsIn(stage, area, field).forEach([field, "owner"], ({ id, [field]: value, owner }) => {
        const isPersons =
          kind === "emailField"
            ? String(value).toLowerCase() === email.toLowerCase()
            : // Anybody can name an author, and user record 1 is the default.
              owner === undefined && [found, earlier].some((it) => it?.get("users")?.has(Number(value)));
        if (isPersons) ids.add(Number(id));
      });
    }
  return found;
}

interface Erasure extends Pick<OperatorContext, "progress"> {
  readonly stage: Tables;
  readonly wait: () => Promise<unknown>;
  readonly onFound: (found: Found) => void;
}

/**
 * Locks the account and searches before and after erasing. The account is last: it names the e-mail by which a
 * repetition finds the rest.
 *
 * @param options `wait` until requests from before the lock, and their late attempts, have ended; `onFound` is
 *   called before records are erased
 * @throws {CommandError} if something is left
 */
export async function eraseAll(
  accounts: AccountsRepository,
  username: string,
  email: string | undefined,
  { stage, progress, wait, onFound }: Erasure,
): Promise<void> {
  const changeAccount = async (change: (account: StoredAccount) => Promise<boolean>) => {
    const account = await accounts.get(username);
    if (account && !(await change(account)))
      throw new CommandError("The account has just changed: repeat the command.");
  };
  await changeAccount((account) => accounts.update(account, lockOf(account)));
  await wait();
  const found = await findRecords(stage, username, email);
  onFound(found);
  for (const [area, ids] of found) {
    progress(`Erasing ${ids.size} of the ${area}`);
    await forEachOf(ids, `Not erased of the ${area} (repeat the command)`, (id) =>
      erase(stage, area, id, username),
    );
  }
  const left = [...(await findRecords(stage, username, email, found))].filter(([, { size }]) => size > 0);
  const list = left.map(([area, ids]) => `${area} ${[...ids].join(", ")}`).join("; ");
  if (list) throw new CommandError(`Searched again and found ${list}: repeat the command.`);
  await changeAccount((account) => accounts.remove(account));
}

/** Erases a record with its part and entries, or its owner's name if it is kept. */
async function erase(stage: Tables, area: string, id: number, username: string): Promise<void> {
  const [TableName, records] = [stage.table(area), recordsIn(stage, area)];
  const { partKey, entries } = modules[area]?.stored ?? {};
  const record = await records.read(id);
  if (tables[area]?.personal?.kept) await giveRecord(stage.dynamodb, TableName, id, undefined);
  else if (record) {
    const { data: texts = [] } = z.array(z.string()).safeParse(entries && record[entries.attribute]);
    const keys = [...new Set(texts)].flatMap((text) =>
      entries ? { pk: entries.partitionOf(text), sk: id } : [],
    );
    const others = [...(partKey ? [partKey(id)] : []), ...keys].map((Key) => ({
      Delete: { TableName, Key },
    }));
    const hasSameTexts = (current: typeof record) => {
      if (entries && !isDeepStrictEqual(current[entries.attribute], record[entries.attribute]))
        throw tooManyConflicts();
    };
    await outside[area]?.erase(record, stage);
    // As for an administrator, so that the entry of any owner is deleted with it.
    const all = recordsIn(stage, area, entries?.attribute, { username, seesAll: true });
    await all.remove(id, entries && hasSameTexts, others);
  }
  // One can be left of a record that was deleted while records had no owners.
  await transact(stage.dynamodb, { entry: ownerEntry(TableName, { sk: id, owner: username }, "Delete") });
}

/** Records with a field that an area names, and owners. */
function recordsIn(stage: Tables, area: string, field = "owner", owner?: Owner) {
  const schema = z.object({ [field]: z.unknown(), owner: z.optional(z.string()) });
  type Fields = { readonly id: number; readonly owner?: string } & Readonly<Record<string, unknown>>;
  return new RecordRepository<Fields>(stage.dynamodb, stage.table(area), schema as never, owner);
}
