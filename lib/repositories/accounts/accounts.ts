import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ApiError } from "../../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../../domain/idempotency.ts";
import { DEFAULT_ROLE, isUsername } from "../../validators/account.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { cancellationCodes, isErrorNamed } from "../dynamodb/client.ts";
import { decode } from "../dynamodb/decode.ts";
import { itemIsAbsent, unchanged, updateOf } from "../dynamodb/expressions.ts";
import { getItem, projection, type StoredItem } from "../dynamodb/query.ts";
import type { TransactionItem } from "../dynamodb/transaction.ts";
import { entryAttributes, Idempotency } from "../records/idempotency.ts";
import {
  AccountProfile,
  accountKey,
  emailKey,
  privilegeKey,
  profileAttributes,
  StoredAccount,
} from "./account-items.ts";

/** Each account is two items, and a transaction has 100 at most: this leaves room for twice as many. */
export const MAX_BATCH_SIZE = 25;

/** An account that registers: it gets the default role. */
export type NewAccount = Omit<StoredAccount, "role">;

/** The fields of an account that an operator sets. */
export type SavedAccount = Omit<StoredAccount, "age" | "website">;

/**
 * Registers, reads and changes single accounts: those who can log in, separate from the user records. Usernames
 * are case-sensitive, e-mails are not; both are unique. `account-items.ts` describes the items of an account.
 */
export class AccountsRepository {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #idempotency: Idempotency;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#idempotency = new Idempotency(client, table, "key");
  }

  /**
   * Checks everything about a registration that needs no password hash, which is expensive. One call.
   *
   * The read is eventually consistent, which costs half: the conditions of `registerAll` decide. It may see an account
   * before the entry of its key, so a conflict looks the key up again: one more call.
   *
   * @param accounts at most `MAX_BATCH_SIZE`
   * @returns whether an earlier request with the key has registered the accounts
   * @throws ApiError `Conflict` naming the first username or e-mail that is already taken, by a stored account or
   *   by one earlier in the list
   */
  async checkRegistration(
    accounts: readonly Pick<NewAccount, "username" | "email">[],
    idempotency: IdempotencyContext | undefined,
  ): Promise<boolean> {
    refuseDuplicates(accounts);
    const entryKey = idempotency && this.#idempotency.keyOf(idempotency);
    const accountKeys = accounts.flatMap(({ username, email }) => [accountKey(username), emailKey(email)]);
    const keys = entryKey ? [...accountKeys, entryKey] : accountKeys;
    const attributes = ["pk", "sk", ...entryAttributes];
    const items = await batchGet(this.#client, this.#table, keys, { isConsistent: false, attributes });
    const find = (key: StoredItem) => items.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
    if (idempotency && entryKey && this.#idempotency.resultOf(find(entryKey), idempotency)) return true;
    for (const account of accounts) {
      const isUsernameTaken = find(accountKey(account.username)) !== undefined;
      if (!isUsernameTaken && find(emailKey(account.email)) === undefined) continue;
      if (await this.#isReplay(idempotency)) return true;
      throw alreadyTaken(isUsernameTaken ? "username" : "email", account);
    }
    return false;
  }

  /**
   * Registers accounts with the default role: all of them, or none. One call; one more if a repeated request with an
   * idempotency key gets past `checkRegistration`.
   *
   * @param accounts at most `MAX_BATCH_SIZE`, which passed `checkRegistration`
   * @throws ApiError `Conflict` naming the first username or e-mail that is already taken
   */
  async registerAll(
    accounts: readonly NewAccount[],
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<readonly NewAccount[]>> {
    const puts = accounts.flatMap((account) => [
      this.#put({ ...accountKey(account.username), ...account }),
      this.#put({ ...emailKey(account.email), username: account.username }),
    ]);
    const entry = idempotency ? [this.#idempotency.entry(idempotency, {})] : [];
    try {
      await this.#client.send(new TransactWriteCommand({ TransactItems: [...puts, ...entry] }));
      return { record: accounts, replayed: false };
    } catch (error) {
      const codes = cancellationCodes(error);
      // The same request was processed before or in the meantime: its accounts, not others, have taken the names.
      if (codes?.[puts.length] === "ConditionalCheckFailed" && (await this.#isReplay(idempotency)))
        return { record: accounts, replayed: true };
      const failed = codes?.indexOf("ConditionalCheckFailed") ?? -1;
      const account = accounts[Math.floor(failed / 2)];
      if (account === undefined) throw error;
      throw alreadyTaken(failed % 2 === 0 ? "username" : "email", account);
    }
  }

  /** One account, or undefined when it does not exist. One call, and none for an invalid username. */
  async get(username: string): Promise<StoredAccount | undefined> {
    const item = await this.#read(username);
    return item && decode(StoredAccount, item);
  }

  /** The account without its password hash. Costs the same as `get`. */
  async getProfile(username: string): Promise<AccountProfile | undefined> {
    const item = await this.#read(username, projection(profileAttributes));
    return item && decode(AccountProfile, item);
  }

  /**
   * Creates the account with this username, or replaces its e-mail, password and role. For operators: no operation
   * of the API grants a role. Two calls, and two more for each concurrent change of the account.
   *
   * @throws ApiError `Conflict` when another account has the e-mail
   */
  async save(account: SavedAccount): Promise<void> {
    for (;;) {
      const before = await this.get(account.username);
      const transaction = new TransactWriteCommand({ TransactItems: this.#saveItems(before, account) });
      try {
        await this.#client.send(transaction);
        return;
      } catch (error) {
        const [accountItem, emailItem] = cancellationCodes(error) ?? [];
        if (emailItem === "ConditionalCheckFailed") throw alreadyTaken("email", account);
        if (accountItem !== "ConditionalCheckFailed") throw error;
      }
    }
  }

  /**
   * Updates, not puts: they keep attributes that this code does not know. The hash differs after each save, since its
   * salt is random, so it shows a concurrent one.
   */
  #saveItems(before: StoredAccount | undefined, account: SavedAccount): TransactionItem[] {
    const { username, email, role, passwordHash } = account;
    const isUnchanged = before
      ? unchanged({ email: before.email, passwordHash: before.passwordHash })
      : itemIsAbsent;
    const emailIsFree = {
      ConditionExpression: "attribute_not_exists(pk) OR username = :username",
      ExpressionAttributeValues: { ":username": username },
    };
    const isPrivileged = role !== DEFAULT_ROLE;
    const hasNewEmail = before !== undefined && emailKey(before.email).pk !== emailKey(email).pk;
    const obsolete = [
      ...(hasNewEmail ? [emailKey(before.email), privilegeKey(before.email)] : []),
      ...(isPrivileged ? [] : [privilegeKey(email)]),
    ];
    const TableName = this.#table;
    return [
      {
        Update: {
          TableName,
          Key: accountKey(username),
          ...updateOf({ username, email, role, passwordHash }, isUnchanged),
        },
      },
      { Update: { TableName, Key: emailKey(email), ...updateOf({ username }, emailIsFree) } },
      ...(isPrivileged ? [{ Update: { TableName, Key: privilegeKey(email), ...updateOf({ role }) } }] : []),
      ...obsolete.map((Key) => ({ Delete: { TableName, Key } })),
    ];
  }

  /**
   * Replaces the hash of a password by a stronger one, unless the password has been changed. One call.
   *
   * @param from the hash that was verified
   */
  async rehash(username: string, from: string, to: string): Promise<void> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: accountKey(username),
          ...updateOf({ passwordHash: to }, unchanged({ passwordHash: from })),
        }),
      );
    } catch (error) {
      if (!isErrorNamed(error, "ConditionalCheckFailedException")) throw error;
    }
  }

  async #read(username: string, attributes?: ReturnType<typeof projection>): Promise<StoredItem | undefined> {
    if (!isUsername(username)) return undefined;
    return getItem(this.#client, this.#table, accountKey(username), attributes);
  }

  async #isReplay(idempotency: IdempotencyContext | undefined): Promise<boolean> {
    return idempotency !== undefined && (await this.#idempotency.find(idempotency)) !== undefined;
  }

  /** Null fields are not stored: the schema's defaults restore them. */
  #put(item: StoredItem): TransactionItem {
    const Item = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
    return { Put: { TableName: this.#table, Item, ...itemIsAbsent } };
  }
}

/** DynamoDB rejects a transaction with two writes of an item, without naming the account that is the second. */
function refuseDuplicates(accounts: readonly Pick<NewAccount, "username" | "email">[]): void {
  const seen = new Set<string>();
  for (const account of accounts) {
    for (const [field, key] of [
      ["username", account.username],
      ["email", emailKey(account.email).pk],
    ] as const) {
      if (seen.has(key)) throw alreadyTaken(field, account);
      seen.add(key);
    }
  }
}

/** A username or e-mail that another account has. */
export function alreadyTaken(
  field: "username" | "email",
  account: Pick<StoredAccount, "username" | "email">,
): ApiError {
  return new ApiError("Conflict", `The ${field} ${account[field]} is already taken`, { field });
}
