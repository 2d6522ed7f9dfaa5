import {
  type DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { ApiError } from "../../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../../domain/idempotency.ts";
import { DEFAULT_ROLE, isUsername, StoredAccount } from "../../validators/account.ts";
import { cancellationCodes, isErrorNamed } from "../dynamodb/client.ts";
import type { TransactionItem } from "../dynamodb/transaction.ts";
import { Idempotency } from "../records/idempotency.ts";
import { accountKey, emailKey, privilegeKey } from "./account-keys.ts";

/** Two items for each account, and 100 items in one transaction, leave room for twice as many. */
export const MAX_BATCH_SIZE = 25;

/** An account that is to be registered: its role is the default one. */
export type NewAccount = Omit<StoredAccount, "role">;

/** An account as the deployment knows it. */
export type SavedAccount = Omit<StoredAccount, "age" | "website">;

type Condition = Pick<
  NonNullable<TransactionItem["Put"]>,
  "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
>;

/**
 * The accounts: those who can log in, apart from the user records.
 *
 * An account lies under its username, which is unique letter for letter. Its e-mail, in lower case, is held by
 * a second item that is written in the same transaction; so both are unique under concurrency. A third one
 * lists the accounts whose role is not the default one. Every read is strongly consistent.
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
   * Registers one account of the default role. One call, and one before it under a key.
   *
   * @param idempotency under which key
   * @throws ApiError `Conflict` naming the field that is taken: `username` before `email`
   * @throws ApiError `ServiceUnavailable`
   */
  async register(
    account: NewAccount,
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<NewAccount>> {
    const { replayed } = await this.registerAll([account], idempotency);
    return { record: account, replayed };
  }

  /**
   * Registers accounts of the default role: all of them, or none. One call, and one before it under a key.
   *
   * @param accounts at most `MOST_AT_ONCE`
   * @param idempotency under which key
   * @throws ApiError `ValidationError` when the key was used for another request
   * @throws ApiError `Conflict` naming the first field that is taken, by a stored account or by one before it
   *   in the list
   * @throws ApiError `ServiceUnavailable`
   */
  async registerAll(
    accounts: readonly NewAccount[],
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<readonly NewAccount[]>> {
    refuseRepetition(accounts);
    if (await this.#isDone(idempotency)) return { record: accounts, replayed: true };
    const puts = accounts.flatMap((account) => [
      this.#put({ ...accountKey(account.username), ...account, role: DEFAULT_ROLE }),
      this.#put({ ...emailKey(account.email), username: account.username }),
    ]);
    const entry = idempotency ? [this.#idempotency.entry(idempotency, {})] : [];
    try {
      await this.#client.send(new TransactWriteCommand({ TransactItems: [...puts, ...entry] }));
      return { record: accounts, replayed: false };
    } catch (error) {
      const codes = cancellationCodes(error);
      // The same request has come in between: then it is not for its accounts that the names are taken.
      if (codes?.[puts.length] === "ConditionalCheckFailed" && (await this.#isDone(idempotency)))
        return { record: accounts, replayed: true };
      const failed = codes?.indexOf("ConditionalCheckFailed") ?? -1;
      const account = accounts[Math.floor(failed / 2)];
      if (account === undefined) throw error;
      throw taken(failed % 2 === 0 ? "username" : "email", account);
    }
  }

  /** One account, or undefined when nobody has that username. One call, and none for what is no username. */
  async get(username: string): Promise<StoredAccount | undefined> {
    if (!isUsername(username)) return undefined;
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: accountKey(username), ConsistentRead: true }),
    );
    return item && StoredAccount.parse(item);
  }

  /**
   * Creates an account, or changes the one that has this username: its e-mail, password and role become what
   * is given. For the deployment: no operation of the API gives a role. Two calls, and two more each time that
   * somebody else changes the account in between.
   *
   * @throws ApiError `Conflict` when another account has the e-mail
   * @throws ApiError `ServiceUnavailable`
   */
  async save(account: SavedAccount): Promise<void> {
    for (;;) {
      const before = await this.get(account.username);
      try {
        await this.#client.send(new TransactWriteCommand({ TransactItems: this.#changes(before, account) }));
        return;
      } catch (error) {
        const [unchanged, email] = cancellationCodes(error) ?? [];
        if (email === "ConditionalCheckFailed") throw taken("email", account);
        if (unchanged !== "ConditionalCheckFailed") throw error;
      }
    }
  }

  /**
   * Replaces a password's hash by one of the same password. Nothing happens when the account has another
   * password by then. One call.
   *
   * @param from the hash that was verified
   * @param to the one to keep
   * @throws ApiError `ServiceUnavailable`
   */
  async rehash(username: string, from: string, to: string): Promise<void> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: accountKey(username),
          ConditionExpression: "passwordHash = :from",
          UpdateExpression: "SET passwordHash = :to",
          ExpressionAttributeValues: { ":from": from, ":to": to },
        }),
      );
    } catch (error) {
      if (!isErrorNamed(error, "ConditionalCheckFailedException")) throw error;
    }
  }

  /** The account first, its e-mail second, then its role, and what no longer holds. */
  #changes(before: StoredAccount | undefined, account: SavedAccount): TransactionItem[] {
    const { username, email, role } = account;
    const hasMoved = before !== undefined && emailKey(before.email).pk !== emailKey(email).pk;
    const isPrivileged = role !== DEFAULT_ROLE;
    const gone = [
      ...(hasMoved ? [emailKey(before.email), privilegeKey(before.email)] : []),
      ...(isPrivileged ? [] : [privilegeKey(email)]),
    ];
    return [
      this.#put({ ...accountKey(username), ...before, ...account }, before && isStill(before)),
      this.#put(
        { ...emailKey(email), username },
        {
          ConditionExpression: "attribute_not_exists(pk) OR username = :username",
          ExpressionAttributeValues: { ":username": username },
        },
      ),
      ...(isPrivileged ? [this.#put({ ...privilegeKey(email), role }, {})] : []),
      ...gone.map((Key) => ({ Delete: { TableName: this.#table, Key } })),
    ];
  }

  /** Whether what a key was sent for has been done. */
  async #isDone(idempotency: IdempotencyContext | undefined): Promise<boolean> {
    return idempotency !== undefined && (await this.#idempotency.find(idempotency)) !== undefined;
  }

  #put(
    item: Readonly<Record<string, unknown>>,
    condition: Condition = { ConditionExpression: "attribute_not_exists(pk)" },
  ): TransactionItem {
    // What is null is left out: the schema gives it back.
    const Item = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
    return { Put: { TableName: this.#table, Item, ...condition } };
  }
}

/** One transaction does not take the same item twice; and a list can say which of its entries is the second. */
function refuseRepetition(accounts: readonly NewAccount[]): void {
  const seen = new Set<string>();
  for (const account of accounts) {
    for (const [field, key] of [
      ["username", account.username],
      ["email", emailKey(account.email).pk],
    ] as const) {
      if (seen.has(key)) throw taken(field, account);
      seen.add(key);
    }
  }
}

/** Holds while nobody has saved the account or rehashed its password. */
function isStill({ email, passwordHash, role }: StoredAccount): Condition {
  return {
    ConditionExpression: "email = :email AND passwordHash = :hash AND #role = :role",
    ExpressionAttributeNames: { "#role": "role" },
    ExpressionAttributeValues: { ":email": email, ":hash": passwordHash, ":role": role },
  };
}

/**
 * The failure of a registration whose username or e-mail somebody has.
 *
 * @param field which of the two
 * @param account the one that is refused
 */
export function taken(
  field: "username" | "email",
  account: Pick<StoredAccount, "username" | "email">,
): ApiError {
  return new ApiError("Conflict", `The ${field} ${account[field]} is already taken`, { field });
}
