import { createHash } from "node:crypto";
import { type DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { ApiError } from "../../domain/errors.ts";
import { delayAfter, networkOf, WINDOW_MS } from "../../domain/login-throttle.ts";
import { isUsername } from "../../validators/account.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { mapConcurrently } from "../dynamodb/concurrency.ts";
import { conditionFailureItem } from "../dynamodb/expressions.ts";
import { accountKey, decodeAccount, type StoredAccount } from "./account-items.ts";

/** Failures of one address at one username that cause no delay. */
const FREE_PER_ADDRESS = 5;
/**
 * Failures of all addresses at one username that cause no delay. NIST SP 800-63B allows at most 100 consecutive
 * failures. Two addresses cannot reach this in a window, nor can concurrent requests at the gateway's rate limit.
 */
const FREE_IN_TOTAL = 100;

/**
 * Failed logins at one username, from one address or in total, within one window. The partition key is a digest,
 * since people type passwords into username fields; the sort key is the number of the window. DynamoDB deletes the
 * item some time after the window (`expires_at`).
 */
const StoredCounter = z.object({ pk: z.string(), sk: z.string(), failures: z.int(), updatedAt: z.int() });

interface Counter extends z.output<typeof StoredCounter> {
  /** How many failures cause no delay. */
  readonly free: number;
}

/** A login whose password may be verified. Then either `failed` or `succeeded` must be called. */
export interface LoginAttempt {
  /** Undefined when no account has the username. */
  readonly account: StoredAccount | undefined;
  /** Counts the failure. @throws ApiError `ServiceUnavailable` */
  failed(): Promise<void>;
  /** Resets the counters. @throws ApiError `ServiceUnavailable` */
  succeeded(): Promise<void>;
}

/**
 * Slows down logins after repeated failures (docs/decisions.md; docs/adr/0012). Failures are counted per username,
 * whether an account has it or not, by address and in total. So one attacker delays only himself; an attacker
 * with several addresses delays the owner by at most 30 seconds.
 */
export class LoginThrottle {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => Date;

  /** @param table the accounts' table, which also holds the counters */
  constructor(client: DynamoDBDocumentClient, table: string, now: () => Date) {
    this.#client = client;
    this.#table = table;
    this.#now = now;
  }

  /**
   * Starts a login. One call reads the account and its counters.
   *
   * Failures that cause no delay are counted after the password was verified, so that a correct password needs no
   * write. Limit: concurrent requests can exceed the free failures by their number. Once failures cause a delay,
   * each attempt is counted before its password is verified, in one more call: only one of several concurrent
   * attempts passes.
   *
   * @param username as sent; nothing is counted for an invalid one
   * @param address the client's IP address
   * @throws ApiError `TooManyRequests` during the delay
   * @throws ApiError `ServiceUnavailable`
   */
  async begin(username: string, address: string): Promise<LoginAttempt> {
    if (!isUsername(username))
      return { account: undefined, failed: async () => {}, succeeded: async () => {} };
    const now = this.#now().getTime();
    const { account, counters } = await this.#read(username, address, now);
    refuseDuringDelay(counters, now);
    const free = counters.filter((counter) => !isDelaying(counter));
    for (const counter of counters.filter(isDelaying)) await this.#countInAdvance(counter);
    return {
      account,
      failed: async () => {
        await mapConcurrently(free, (counter) => this.#count(counter));
      },
      succeeded: async () => {
        const used = counters.filter(({ failures }) => failures > 0);
        await mapConcurrently(used, (counter) => this.#reset(counter));
      },
    };
  }

  async #read(username: string, address: string, now: number) {
    const key = accountKey(username);
    const limits = [
      { ...counterKey(now, username, networkOf(address)), free: FREE_PER_ADDRESS },
      { ...counterKey(now, username), free: FREE_IN_TOTAL },
    ];
    const keys = [key, ...limits].map(({ pk, sk }) => ({ pk, sk }));
    const items = await batchGet(this.#client, this.#table, keys);
    const byPartition = new Map(items.map((item) => [item.pk, item]));
    const counters = limits.map(({ free, ...counter }) => ({
      free,
      ...StoredCounter.parse({ failures: 0, updatedAt: 0, ...counter, ...byPartition.get(counter.pk) }),
    }));
    const item = byPartition.get(key.pk);
    return { account: item && decodeAccount(item), counters };
  }

  /** Counts a failure. A repeated attempt whose first response was lost does not count twice. */
  async #count(counter: Counter): Promise<void> {
    const attemptId = crypto.randomUUID();
    const isNew = "attribute_not_exists(attemptId) OR attemptId <> :attempt";
    try {
      await this.#update(counter, attemptId, "ADD failures :one", { ":one": 1 }, isNew);
    } catch (error) {
      if (conditionFailureItem(error) === undefined) throw error;
    }
  }

  /**
   * Counts a failure before the password is verified.
   *
   * @throws ApiError `TooManyRequests` when another attempt was counted since the counter was read
   */
  async #countInAdvance(counter: Counter): Promise<void> {
    const attemptId = crypto.randomUUID();
    const values = { ":one": 1, ":seen": counter.failures };
    try {
      await this.#update(counter, attemptId, "ADD failures :one", values, "failures = :seen");
    } catch (error) {
      const current = conditionFailureItem(error);
      if (current === undefined) throw error;
      const isOwnAttempt = current.attemptId?.S === attemptId;
      if (!isOwnAttempt) throw tooManyAttempts(delayAfter(counter.failures + 1, counter.free));
    }
  }

  async #reset(counter: Counter): Promise<void> {
    await this.#update(counter, crypto.randomUUID(), ", failures = :none", { ":none": 0 });
  }

  async #update(
    { pk, sk }: Counter,
    attemptId: string,
    change: string,
    values: Readonly<Record<string, number>>,
    condition?: string,
  ): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { pk, sk },
        UpdateExpression: `SET updatedAt = :now, attemptId = :attempt, expires_at = :expires ${change}`,
        ConditionExpression: condition,
        ExpressionAttributeValues: {
          ":now": this.#now().getTime(),
          ":attempt": attemptId,
          ":expires": ((Number(sk) + 1) * WINDOW_MS) / 1_000,
          ...values,
        },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
  }
}

function counterKey(now: number, ...subject: readonly string[]) {
  const digest = createHash("sha256").update(JSON.stringify(subject)).digest("base64url");
  return { pk: `failures#${digest}`, sk: String(Math.floor(now / WINDOW_MS)) };
}

function isDelaying({ failures, free }: Counter): boolean {
  return failures >= free;
}

function refuseDuringDelay(counters: readonly Counter[], now: number): void {
  const remaining = counters.map(({ failures, free, updatedAt }) => {
    const delay = delayAfter(failures, free);
    // `updatedAt` may come from a clock that is ahead.
    return Math.min(delay, updatedAt + delay - now);
  });
  const longest = Math.max(...remaining);
  if (longest > 0) throw tooManyAttempts(longest);
}

/** A login during the delay after failed ones. */
export function tooManyAttempts(milliseconds: number): ApiError {
  const seconds = Math.ceil(milliseconds / 1_000);
  return new ApiError("TooManyRequests", `Too many failed logins, please try again in ${seconds} s`, {
    headers: { "retry-after": String(seconds) },
  });
}
