import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { DEFAULT_ROLE } from "../../validators/account.ts";
import type { StoredItem } from "../dynamodb/query.ts";

/*
 * An account consists of the account item under its username, an e-mail item, which makes the e-mail unique, and,
 * unless it has the default role, a privilege item. All are written in one transaction. An account whose username has
 * capitals also writes a reservation under the username in small letters, where an account of that name would be: names
 * that differ only in case would pass for each other. `npm run repair` adds those of accounts that have none.
 */

/** An account as stored. The API's bounds are not checked again; new fields need a default. */
export const StoredAccount = z.object({
  username: z.string(),
  email: z.string(),
  // A registration stores none: its function may not write this attribute (infra/functions.ts).
  role: z._default(z.string(), DEFAULT_ROLE),
  passwordHash: z.string(),
  age: z._default(z.nullable(z.int()), null),
  website: z._default(z.nullable(z.string()), null),
});
export type StoredAccount = z.output<typeof StoredAccount>;

/** What requests other than the login read of an account. Their functions may not read hashes (infra/functions.ts). */
export const AccountProfile = z.pick(StoredAccount, { username: true, email: true, role: true });
export type AccountProfile = z.output<typeof AccountProfile>;
export const profileAttributes = [...Object.keys(AccountProfile.shape), "reserves"];

/** Accounts are spread over partitions, so that the full list needs parallel queries and no scan. */
const PARTITIONS = 16;

export const accountPartitions = Array.from({ length: PARTITIONS }, (_, n) => `accounts#${n}`);

export const PRIVILEGED = "privileged";

export function accountKey(username: string) {
  const [first = 0] = createHash("sha256").update(username).digest();
  return { pk: `accounts#${first % PARTITIONS}`, sk: username };
}

/** The item that keeps other spellings of a username from being registered; undefined if the account's own does. */
export function reservationOf(username: string) {
  const name = username.toLowerCase();
  return name === username ? undefined : { ...accountKey(name), reserves: username };
}

/** The account of an item; undefined if it only reserves the username of another one. */
export function accountIn(item: StoredItem | undefined): StoredItem | undefined {
  return item?.reserves === undefined ? item : undefined;
}

/** E-mails are not case-sensitive. */
export function emailKey(email: string) {
  return { pk: `email#${email.toLowerCase()}`, sk: "email" };
}

export function privilegeKey(email: string) {
  return { pk: PRIVILEGED, sk: email.toLowerCase() };
}
