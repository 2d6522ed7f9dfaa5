import { createHash } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { ApiError } from "../../domain/errors.ts";
import { delayAfter, MAX_DELAY_MS, networkOf, WINDOW_MS } from "../../domain/login-throttle.ts";
import { batchGet } from "../../dynamodb/batch.ts";
import { TableAccess } from "../../dynamodb/table-access.ts";
import { type UpdateResult, updateItem } from "../../dynamodb/writes.ts";
import { isUsername } from "../../validators/account.ts";
import { accountIn, accountKey, StoredAccount } from "./account-items.ts";

/** Failures without delay of one address at one username. */
const FREE_PER_ADDRESS = 5;
/** Failures at one username after which the delay has no maximum. Two addresses cannot reach it. */
const FREE_IN_TOTAL = 100;
/** Failures without delay of one address at all usernames: everyone behind a proxy has its address. */
const FREE_PER_NETWORK = 300;

/** Failed logins within the window `sk`. The key is a digest: people type passwords into username fields. */
const StoredCounter = z.object({
  pk: z.string(),
  sk: z.string(),
  failures: z.int(),
  updatedAt: z.int(),
  attemptId: z.optional(z.string()),
});

type Counter = z.output<typeof StoredCounter>;

interface Limit {
  readonly counter: Counter;
  readonly free: number;
  readonly maxDelay: number;
}

/** A login whose password may be verified, after which `failed` or `succeeded` must be called. */
interface LoginAttempt {
  readonly account: StoredAccount | undefined;
  /** Counts the failure. @throws ApiError `ServiceUnavailable` */
  failed(): Promise<void>;
  /** Forgets the failures of the address at the username. @throws ApiError `ServiceUnavailable` */
  succeeded(): Promise<void>;
}

/** Slows down logins after repeated failures (docs/adr/0012). */
export class LoginThrottle extends TableAccess {
  readonly #now: () => Date;

  constructor(client: DynamoDBClient, table: string, now: () => Date) {
    super(client, table);
    this.#now = now;
  }

  /**
   * Starts a login. One call; two once failures cause a delay, since the attempt is then counted before its password
   * is verified. Concurrent requests can exceed the free failures by their number.
   * @throws ApiError `TooManyRequests` during the delay
   */
  async begin(username: string, address: string): Promise<LoginAttempt> {
    if (!isUsername(username))
      return { account: undefined, failed: async () => {}, succeeded: async () => {} };
    const now = this.#now().getTime();
    const { account, pair, total, network } = await this.#read(username, address, now);
    const hasSucceeded = pair.attemptId !== undefined && pair.failures === 0;
    const limits: readonly Limit[] = [
      // Others behind the same proxy may guess, but this login is probably the owner's.
      ...(hasSucceeded ? [] : [{ counter: network, free: FREE_PER_NETWORK, maxDelay: MAX_DELAY_MS }]),
      {
        counter: pair,
        free: FREE_PER_ADDRESS,
        maxDelay: total.failures < FREE_IN_TOTAL ? MAX_DELAY_MS : WINDOW_MS,
      },
    ];
    refuseDuringDelay(limits, now);
    const delaying = limits.filter(({ counter, free }) => counter.failures >= free);
    const attemptId = crypto.randomUUID();
    for (const limit of delaying) await this.#countInAdvance(limit, attemptId);
    return {
      account,
      failed: async () => {
        const counted = delaying.map(({ counter }) => counter);
        const others = [pair, total, network].filter((counter) => !counted.includes(counter));
        // One after the other: after an error none is left running.
        for (const counter of others) await this.#count(counter);
      },
      succeeded: async () => {
        const isCounted = delaying.some(({ counter }) => counter === pair);
        // Early enough to count when the address reaches its limit, and not at every login.
        if (pair.failures > 0 || network.failures >= FREE_PER_NETWORK / 2)
          await this.#reset(pair, isCounted ? attemptId : pair.attemptId);
      },
    };
  }

  async #read(username: string, address: string, now: number) {
    const network = networkOf(address);
    const keys = {
      account: accountKey(username),
      pair: counterKey(now, username, network),
      total: counterKey(now, username),
      network: counterKey(now, "", network),
    };
    const items = await batchGet(this.client, this.table, Object.values(keys));
    const find = ({ pk }: { readonly pk: string }) => items.find((item) => item.pk === pk);
    const counterOf = (key: { readonly pk: string }) =>
      StoredCounter.parse({ failures: 0, updatedAt: 0, ...key, ...find(key) });
    const item = accountIn(find(keys.account));
    return {
      account: item && StoredAccount.parse(item),
      pair: counterOf(keys.pair),
      total: counterOf(keys.total),
      network: counterOf(keys.network),
    };
  }

  /** A repeated attempt counts twice only if another failure came in between. */
  async #count(counter: Counter): Promise<void> {
    const isNew = "attribute_not_exists(attemptId) OR attemptId <> :attempt";
    await this.#update(counter, crypto.randomUUID(), "ADD failures :one", { ":one": 1 }, isNew);
  }

  /** @throws ApiError `TooManyRequests` when another attempt was counted since the counter was read */
  async #countInAdvance({ counter, free, maxDelay }: Limit, attemptId: string): Promise<void> {
    const values = { ":one": 1, ":seen": counter.failures };
    const updated = await this.#update(counter, attemptId, "ADD failures :one", values, "failures = :seen");
    const isOwnAttempt = updated.isDone || updated.item.attemptId === attemptId;
    if (!isOwnAttempt) throw tooManyAttempts(delayAfter(counter.failures + 1, free, maxDelay));
  }

  /** Forgets failures, unless others were counted since. @param seen the id of the counter's last change */
  async #reset(counter: Counter, seen = ""): Promise<void> {
    const isUnchanged = seen ? "attemptId = :seen" : "attribute_not_exists(attemptId)";
    const values = { ":none": 0, ...(seen && { ":seen": seen }) };
    await this.#update(counter, crypto.randomUUID(), ", failures = :none", values, isUnchanged);
  }

  #update(
    { pk, sk }: Counter,
    attemptId: string,
    change: string,
    values: Readonly<Record<string, number | string>>,
    condition: string,
  ): Promise<UpdateResult> {
    return updateItem(this.client, {
      TableName: this.table,
      Key: { pk, sk },
      UpdateExpression: `SET updatedAt = :now, attemptId = :attempt, expires_at = :expires ${change}`,
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ":now": this.#now().getTime(),
        ":attempt": attemptId,
        ":expires": ((Number(sk) + 1) * WINDOW_MS) / 1_000,
        ...values,
      },
    });
  }
}

function counterKey(now: number, ...subject: readonly string[]) {
  const digest = createHash("sha256").update(JSON.stringify(subject)).digest("base64url");
  return { pk: `failures#${digest}`, sk: String(Math.floor(now / WINDOW_MS)) };
}

function refuseDuringDelay(limits: readonly Limit[], now: number): void {
  const remaining = limits.map(({ counter: { failures, updatedAt }, free, maxDelay }) => {
    const delay = delayAfter(failures, free, maxDelay);
    // `updatedAt` may come from a clock that is ahead.
    return Math.min(delay, updatedAt + delay - now);
  });
  const longest = Math.max(...remaining);
  if (longest > 0) throw tooManyAttempts(longest);
}

export function tooManyAttempts(milliseconds: number): ApiError {
  const seconds = Math.ceil(milliseconds / 1_000);
  return new ApiError("TooManyRequests", `Too many failed logins, please try again in ${seconds} s`, {
    retryAfterSeconds: seconds,
  });
}
