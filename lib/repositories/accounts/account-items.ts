import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { DEFAULT_ROLE } from "../../domain/roles.ts";
import type { StoredItem } from "../../dynamodb/query.ts";

/*
 * The items of an account, written in one transaction: the account under its username, an e-mail item that makes the
 * e-mail unique, a privilege item unless it has the default role, and a reservation of its username's lower case. A
 * deleted account's own item becomes a reservation of its username.
 */

/** An account as stored; the API's bounds are not checked again. New fields need a default. */
export const StoredAccount = z.object({
  username: z.string(),
  email: z.string(),
  // A registration stores none: its function may not write it (infra/functions.ts).
  role: z._default(z.string(), DEFAULT_ROLE),
  passwordHash: z.string(),
  age: z._default(z.nullable(z.int()), null),
  website: z._default(z.nullable(z.string()), null),
  // Rises with each change of the password and each lock: tokens with another one are refused.
  tokenVersion: z._default(z.int(), 0),
  // 1 with a one-time password, 0 once it was used or the account is locked; absent for any number.
  loginsLeft: z.optional(z.int()),
});
export type StoredAccount = z.output<typeof StoredAccount>;

export function lockOf({ tokenVersion }: StoredAccount) {
  return { tokenVersion: tokenVersion + 1, loginsLeft: 0 };
}

/** What requests other than the login read. Their functions may not read hashes (infra/functions.ts). */
export const AccountProfile = z.pick(StoredAccount, { username: true, email: true, role: true });
export type AccountProfile = z.output<typeof AccountProfile>;
export const profileAttributes = [...Object.keys(AccountProfile.shape), "reserves"];

export const TokenAccount = z.extend(AccountProfile, { tokenVersion: StoredAccount.shape.tokenVersion });
export type TokenAccount = z.output<typeof TokenAccount>;

/** So many parallel queries list all accounts, without a scan. */
const PARTITIONS = 16;

export const accountPartitions = Array.from({ length: PARTITIONS }, (_, n) => `accounts#${n}`);

export const PRIVILEGED = "privileged";

export function accountKey(username: string) {
  const [first = 0] = createHash("sha256").update(username).digest();
  return { pk: `accounts#${first % PARTITIONS}`, sk: username };
}

/** The item that reserves the lower case of a username; undefined if the account's own does. */
export function reservationOf(username: string) {
  const name = username.toLowerCase();
  return name === username ? undefined : { ...accountKey(name), reserves: username };
}

export function accountIn(item: StoredItem | undefined): StoredItem | undefined {
  return item?.reserves === undefined ? item : undefined;
}

/** What is left of a deleted account: nobody else gets its username, nor what belongs to it. */
export function tombstoneOf(username: string) {
  return { ...accountKey(username), reserves: username };
}

export function isTombstone(item: StoredItem | undefined, username: string): boolean {
  return item?.reserves === username;
}

export function emailKey(email: string) {
  return { pk: `email#${email.toLowerCase()}`, sk: "email" };
}

export function privilegeKey(email: string) {
  return { pk: PRIVILEGED, sk: email.toLowerCase() };
}
