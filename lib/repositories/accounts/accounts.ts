import { ApiError } from "../../domain/errors.ts";
import type { IdempotencyContext } from "../../domain/idempotency.ts";
import { DEFAULT_ROLE } from "../../domain/roles.ts";
import { batchGet } from "../../dynamodb/batch.ts";
import { tooManyConflicts } from "../../dynamodb/contention.ts";
import { decode } from "../../dynamodb/decode.ts";
import {
  allOf,
  type Condition,
  itemIsAbsent,
  type Precondition,
  unchanged,
  updateOf,
} from "../../dynamodb/expressions.ts";
import { getItem, projection, type StoredItem } from "../../dynamodb/query.ts";
import { TableAccess } from "../../dynamodb/table-access.ts";
import { type TransactionItem, transact } from "../../dynamodb/writes.ts";
import { entryAttributes, Idempotency } from "../../records/idempotency.ts";
import { isReserved, isUsername } from "../../validators/account.ts";
import {
  accountIn,
  accountKey,
  emailKey,
  isTombstone,
  privilegeKey,
  profileAttributes,
  reservationOf,
  StoredAccount,
  TokenAccount,
  tombstoneOf,
} from "./account-items.ts";

/** An account has two or three items, a transaction 100 at most. */
export const MAX_BATCH_SIZE = 25;

export type SavedAccount = Pick<StoredAccount, "username" | "email" | "role" | "passwordHash">;

export type NewAccount = Pick<StoredAccount, "username" | "email" | "passwordHash" | "age" | "website">;

type Names = Pick<StoredAccount, "username" | "email">;

/** A registration that a name prevents: the error, and which of the accounts has the name. */
export interface TakenName {
  readonly index: number;
  readonly error: ApiError;
}

/** Single accounts. Usernames are case-sensitive, and unique ignoring case, as e-mails are. */
export class AccountsRepository extends TableAccess {
  readonly #idempotency = new Idempotency(this.client, this.table, "key");

  /**
   * Checks what needs no password hash, which is expensive; `registerAll` decides. One call, two before a conflict:
   * the read may see an account before the entry of its key.
   * @returns the first name that is taken; `replay` if an earlier request with the key has registered the accounts
   * @throws ApiError `Conflict` for a username that is reserved, or what is listed twice
   */
  async checkRegistration(
    accounts: readonly Names[],
    idempotency: IdempotencyContext | undefined,
    addedNames: readonly string[] = [],
  ): Promise<"replay" | TakenName | undefined> {
    refuseDuplicates(accounts);
    const reserved = accounts.find(({ username }) => isReserved(username, addedNames));
    if (reserved) throw alreadyTaken("username", reserved);
    const entryKey = idempotency && this.#idempotency.keyOf(idempotency);
    const items = accounts.flatMap(itemsOf);
    const keys = items.map(({ item: { pk, sk } }) => ({ pk, sk }));
    const attributes = ["pk", "sk", ...entryAttributes];
    const options = { isConsistent: false, attributes };
    const stored = await batchGet(this.client, this.table, entryKey ? [...keys, entryKey] : keys, options);
    const find = (key: StoredItem) => stored.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
    if (idempotency && entryKey && this.#idempotency.resultOf(find(entryKey), idempotency)) return "replay";
    const taken = items.find(({ item }) => find(item) !== undefined);
    if (taken === undefined) return undefined;
    if (await this.#isReplay(idempotency)) return "replay";
    return { index: accounts.indexOf(taken.account), error: alreadyTaken(taken.field, taken.account) };
  }

  /** Registers checked accounts, all or none. One call, two for a late replay. @throws ApiError `Conflict` */
  async registerAll(accounts: readonly NewAccount[], idempotency?: IdempotencyContext) {
    const items = accounts.flatMap(itemsOf);
    const puts = Object.fromEntries(items.map(({ item }, i) => [i, this.#put(item)]));
    const key = idempotency && this.#idempotency.entry(idempotency, {});
    const refused: ReadonlyMap<string, unknown> = await transact(this.client, { ...puts, key });
    // An earlier attempt of the same request has taken the names.
    if (refused.has("key") && (await this.#isReplay(idempotency)))
      return { record: accounts, replayed: true };
    const taken = items.find((_, i) => refused.has(String(i)));
    if (taken) throw alreadyTaken(taken.field, taken.account);
    if (refused.size > 0) throw tooManyConflicts();
    return { record: accounts, replayed: false };
  }

  /** One call, and none for an invalid username. */
  async get(username: string): Promise<StoredAccount | undefined> {
    const item = accountIn(await this.#read(username));
    return item && decode(StoredAccount, item);
  }

  /** The account without its password hash. One call. */
  async getProfile(username: string): Promise<TokenAccount | "deleted" | undefined> {
    const item = await this.#read(username, projection([...profileAttributes, "tokenVersion"]));
    if (isTombstone(item, username)) return "deleted";
    const account = accountIn(item);
    return account && decode(TokenAccount, account);
  }

  /**
   * Creates an account, or replaces its e-mail, password and role. Another password ends its tokens. Two calls, and
   * two more for each concurrent change. @param precondition gets the account, or undefined if there is none
   * @throws ApiError `Conflict` for a taken e-mail, or a username that is taken in another case or was deleted
   */
  async save(account: SavedAccount, precondition?: Precondition<StoredAccount | undefined>): Promise<void> {
    for (;;) {
      const before = await this.get(account.username);
      precondition?.(before);
      const refused = await transact(this.client, this.#saveItems(before, account));
      if (refused.size === 0) return;
      if (!refused.has("account")) throw alreadyTaken(refused.has("email") ? "email" : "username", account);
      // Nobody else has just created it: its key is reserved.
      if (!before && !(await this.get(account.username))) throw alreadyTaken("username", account);
    }
  }

  /** Updates keep attributes that this code does not know. */
  #saveItems(before: StoredAccount | undefined, account: SavedAccount) {
    const { username, email, role, passwordHash } = account;
    const endsTokens = before !== undefined && before.passwordHash !== passwordHash;
    const tokenVersion = endsTokens ? before.tokenVersion + 1 : undefined;
    const change = updateOf(
      { username, email, role, passwordHash, tokenVersion },
      before ? allOf(asRead(before, { email: before.email }), hasRole(before)) : itemIsAbsent,
      endsTokens ? ["loginsLeft"] : [],
    );
    const emailIsFree = {
      ConditionExpression: "attribute_not_exists(pk) OR username = :username",
      ExpressionAttributeValues: { ":username": username },
    };
    const isPrivileged = role !== DEFAULT_ROLE;
    const hasNewEmail = before !== undefined && emailKey(before.email).pk !== emailKey(email).pk;
    const reservation = before ? undefined : reservationOf(username);
    const obsolete = [
      ...(hasNewEmail ? [emailKey(before.email), privilegeKey(before.email)] : []),
      ...(isPrivileged ? [] : [privilegeKey(email)]),
    ];
    const TableName = this.table;
    const update = (Key: StoredItem, changes: ReturnType<typeof updateOf>) => ({
      Update: { TableName, Key, ...changes },
    });
    return {
      account: update(accountKey(username), change),
      email: update(emailKey(email), updateOf({ username }, emailIsFree)),
      reservation: reservation && this.#put(reservation),
      privilege: isPrivileged ? update(privilegeKey(email), updateOf({ role })) : undefined,
      obsolete: obsolete.map((Key) => ({ Delete: { TableName, Key } })),
    };
  }

  /**
   * Changes the password, or what is valid of it. One call. @returns false if the account was changed since it was
   * read
   */
  async update(
    account: StoredAccount,
    {
      loginsLeft,
      ...changes
    }: Partial<Pick<StoredAccount, "passwordHash" | "tokenVersion">> & { loginsLeft?: number | null },
  ): Promise<boolean> {
    const set = { ...changes, loginsLeft: loginsLeft ?? undefined };
    const change = updateOf(set, asRead(account), loginsLeft === null ? ["loginsLeft"] : []);
    const Key = accountKey(account.username);
    const refused = await transact(this.client, {
      account: { Update: { TableName: this.table, Key, ...change } },
    });
    return refused.size === 0;
  }

  /**
   * The write that replaces a forgotten password and ends all tokens. It requires that the account has not changed since
   * it was read, and is not locked.
   */
  preparePassword({ username, tokenVersion }: TokenAccount, passwordHash: string): TransactionItem {
    const isUnlocked = {
      // A deleted account has no password.
      ConditionExpression:
        "attribute_exists(passwordHash) AND (attribute_not_exists(loginsLeft) OR loginsLeft > :none)",
      ExpressionAttributeValues: { ":none": 0 },
    };
    const asRead = allOf(unchanged({ tokenVersion: tokenVersion || undefined }), isUnlocked);
    const change = updateOf({ passwordHash, tokenVersion: tokenVersion + 1 }, asRead, ["loginsLeft"]);
    return { Update: { TableName: this.table, Key: accountKey(username), ...change } };
  }

  /** Deletes an account, but for its username. One call. @returns false if it was changed since it was read */
  async remove(account: StoredAccount): Promise<boolean> {
    const { username, email } = account;
    const TableName = this.table;
    const refused = await transact(this.client, {
      account: { Put: { TableName, Item: tombstoneOf(username), ...asRead(account, { email }) } },
      others: [emailKey(email), privilegeKey(email)].map((Key) => ({ Delete: { TableName, Key } })),
    });
    return refused.size === 0;
  }

  async #read(username: string, attributes?: ReturnType<typeof projection>): Promise<StoredItem | undefined> {
    if (!isUsername(username)) return undefined;
    return getItem(this.client, this.table, accountKey(username), attributes);
  }

  async #isReplay(idempotency: IdempotencyContext | undefined): Promise<boolean> {
    return idempotency !== undefined && (await this.#idempotency.find(idempotency)) !== undefined;
  }

  /** The schema's defaults restore null fields. */
  #put(item: StoredItem): TransactionItem {
    const Item = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
    return { Put: { TableName: this.table, Item, ...itemIsAbsent } };
  }
}

/** The condition that an account is as it was read. A hash is salted, so it shows concurrent changes. */
function asRead({ passwordHash, tokenVersion, loginsLeft }: StoredAccount, others: StoredItem = {}) {
  // A version that was never raised is not stored.
  return unchanged({ passwordHash, tokenVersion: tokenVersion || undefined, loginsLeft, ...others });
}

/** A registration stores no role, and none is ever removed. */
function hasRole({ role }: StoredAccount): Condition {
  return {
    ConditionExpression: "attribute_not_exists(#role) OR #role = :role",
    ExpressionAttributeNames: { "#role": "role" },
    ExpressionAttributeValues: { ":role": role },
  };
}

function itemsOf(account: Names) {
  const { username, email } = account;
  const reservation = reservationOf(username);
  return [
    { field: "username", account, item: { ...accountKey(username), ...account } },
    ...(reservation ? [{ field: "username", account, item: reservation } as const] : []),
    { field: "email", account, item: { ...emailKey(email), username } },
  ] as const;
}

/** DynamoDB rejects a transaction that writes an item twice, without naming the account. */
function refuseDuplicates(accounts: readonly Names[]): void {
  const seen = new Set<string>();
  for (const { field, account, item } of accounts.flatMap(itemsOf)) {
    const key = `${item.pk} ${item.sk}`;
    if (seen.has(key)) throw alreadyTaken(field, account);
    seen.add(key);
  }
}

export function alreadyTaken(field: keyof Names, account: Names): ApiError {
  return new ApiError("Conflict", `The ${field} ${account[field]} is already taken`, { field });
}
