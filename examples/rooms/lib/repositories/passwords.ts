import { createHash, randomBytes } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { ApiError } from "../domain/errors.ts";
import { decode } from "../dynamodb/decode.ts";
import { itemExists } from "../dynamodb/expressions.ts";
import { getItem } from "../dynamodb/query.ts";
import { type TransactionItem, transact } from "../dynamodb/writes.ts";
import { enqueue } from "../jobs/messages.ts";
import type { TokenAccount } from "./accounts/account-items.ts";
import type { AccountsRepository } from "./accounts/accounts.ts";

const TOKEN_SECONDS = 15 * 60;
const HOUR_SECONDS = 60 * 60;
const MAX_MAILS_AN_HOUR = 3;

const Purpose = z.enum(["reset", "confirmation"]);
export type Purpose = z.output<typeof Purpose>;

/** A message of the job: which counter has the username, which is in no message. */
export const MailRequest = z.object({ pk: z.string(), sk: z.string(), purpose: Purpose });

/** What is stored under the digest of a mailed token. */
const StoredToken = z.object({
  purpose: Purpose,
  username: z.string(),
  email: z.string(),
  tokenVersion: z.int(),
  expires_at: z.int(),
});

type Accounts = Pick<AccountsRepository, "getProfile" | "preparePassword">;

/**
 * Mails with tokens: a counter of each username and hour, and of each token its digest alone. A token is valid while
 * the account is as it was when the token was mailed.
 */
export class PasswordsRepository {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #accounts: Accounts;
  readonly #now: () => number;

  /** @param now in milliseconds */
  constructor(client: DynamoDBClient, table: string, accounts: Accounts, now: () => number) {
    this.#client = client;
    this.#table = table;
    this.#accounts = accounts;
    this.#now = now;
  }

  /**
   * Starts the job that mails a token, unless it was asked to three times in this hour. It reads no account, so that
   * nobody can find out by the time who has one.
   */
  async requestMail(username: string, purpose: Purpose): Promise<void> {
    const hour = Math.floor(this.#seconds() / HOUR_SECONDS);
    const Key = { pk: `mails#${digest(username)}`, sk: String(hour) };
    const counter = {
      TableName: this.#table,
      Key,
      UpdateExpression: "SET username = :username, expires_at = :expires ADD mails :one",
      ConditionExpression: "attribute_not_exists(mails) OR mails < :most",
      ExpressionAttributeValues: {
        ":username": username,
        // For repetitions of the job.
        ":expires": (hour + 24) * HOUR_SECONDS,
        ":one": 1,
        ":most": MAX_MAILS_AN_HOUR,
      },
    };
    const message = enqueue(this.#table, "mail", { ...Key, purpose }, crypto.randomUUID());
    await transact(this.#client, { counter: { Update: counter }, message });
  }

  /** Makes a token for who asked for a mail; undefined if nobody has the username. */
  async issueToken({ pk, sk, purpose }: z.output<typeof MailRequest>) {
    const counter = await getItem(this.#client, this.#table, { pk, sk });
    const account = counter && (await this.#accounts.getProfile(String(counter.username)));
    if (account === undefined || account === "deleted") return undefined;
    const { username, email, tokenVersion } = account;
    const token = randomBytes(32).toString("base64url");
    const stored = { purpose, username, email, tokenVersion, expires_at: this.#seconds() + TOKEN_SECONDS };
    await transact(this.#client, { token: this.#put({ ...tokenKey(token), ...stored }) });
    return { token, username, email };
  }

  /**
   * Uses a token for another password, which ends all tokens of the account: both or none.
   *
   * @param hash called for a valid token only, because hashing is expensive
   * @throws ApiError `InvalidArgument` if the token is not valid, or the account is locked
   */
  async resetPassword(token: string, hash: () => Promise<string>): Promise<void> {
    const account = await this.#accountOf(token, "reset");
    await this.#use(token, this.#accounts.preparePassword(account, await hash()));
  }

  /** Uses a token to confirm an address. @throws ApiError `InvalidArgument` if it is not valid */
  async confirm(token: string): Promise<void> {
    const { username, email } = await this.#accountOf(token, "confirmation");
    await this.#use(token, this.#put({ ...confirmationKey(username), address: digest(email) }));
  }

  async isConfirmed({ username, email }: Pick<TokenAccount, "username" | "email">): Promise<boolean> {
    const item = await getItem(this.#client, this.#table, confirmationKey(username));
    return item?.address === digest(email);
  }

  async #accountOf(token: string, purpose: Purpose): Promise<TokenAccount> {
    const item = await getItem(this.#client, this.#table, tokenKey(token));
    const stored = item && decode(StoredToken, item);
    // DynamoDB deletes expired items within days.
    if (stored?.purpose !== purpose || stored.expires_at <= this.#seconds()) throw invalidMailToken();
    const account = await this.#accounts.getProfile(stored.username);
    const isSame =
      account !== undefined &&
      account !== "deleted" &&
      account.email === stored.email &&
      account.tokenVersion === stored.tokenVersion;
    if (!isSame) throw invalidMailToken();
    return account;
  }

  /** Of two uses at once, one deletes the token and makes its change. */
  async #use(token: string, change: TransactionItem): Promise<void> {
    const used = { Delete: { TableName: this.#table, Key: tokenKey(token), ...itemExists } };
    const refused = await transact(this.#client, { used, change });
    if (refused.size > 0) throw invalidMailToken();
  }

  #put(Item: object): TransactionItem {
    return { Put: { TableName: this.#table, Item: { ...Item } } };
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1_000);
  }
}

export function invalidMailToken(): ApiError {
  return new ApiError("InvalidArgument", "The token is invalid, used or expired");
}

function tokenKey(token: string) {
  return { pk: `token#${digest(token)}`, sk: "token" };
}

function confirmationKey(username: string) {
  return { pk: `confirmed#${digest(username)}`, sk: "confirmed" };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
