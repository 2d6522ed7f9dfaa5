import { createHash } from "node:crypto";
import { type DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { ApiError } from "../../domain/errors.ts";
import { delayAfter, networkOf, WINDOW_MS } from "../../domain/login-throttle.ts";
import { isUsername, StoredAccount } from "../../validators/account.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { mapConcurrently } from "../dynamodb/concurrency.ts";
import { conditionFailureItem } from "../dynamodb/expressions.ts";
import { accountKey } from "./account-keys.ts";

/** How often one address may fail at one username before it has to wait. */
const FREE_PER_ADDRESS = 5;
/**
 * How often all addresses together may. NIST SP 800-63B allows no more than 100 failures in a row; it is more
 * than two addresses can reach in a quarter of an hour, and than the gateway lets through to the login at once.
 */
const FREE_IN_ALL = 100;

const Counter = z.object({ pk: z.string(), sk: z.string(), failures: z.int(), last: z.int() });
type Counter = z.output<typeof Counter> & { readonly free: number };

/** A login whose password may be looked at. One of the two has to be called once it has been. */
export interface LoginAttempt {
  /** Undefined when nobody has that username. */
  readonly account: StoredAccount | undefined;
  /** @throws ApiError `ServiceUnavailable` when it cannot be counted */
  failed(): Promise<void>;
  /** @throws ApiError `ServiceUnavailable` when what failed before cannot be forgotten */
  succeeded(): Promise<void>;
}

/**
 * Logins, slowed down after repeated failures (README, "Decisions"). Failures are counted for every username,
 * whether somebody has it or not, by address and in all: so a stranger slows down himself and not the owner,
 * unless he commands several addresses, and then the owner waits for at most half a minute.
 *
 * The counters lie beside the accounts. A counter belongs to one quarter of an hour, which its key names, and
 * DynamoDB deletes it some time after that (attribute `expires_at`); its key is a digest, since people type
 * passwords where usernames belong.
 */
export class LoginThrottle {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => Date;

  /**
   * @param client from `documentClient`
   * @param table the accounts' table
   * @param now the time
   */
  constructor(client: DynamoDBDocumentClient, table: string, now: () => Date) {
    this.#client = client;
    this.#table = table;
    this.#now = now;
  }

  /**
   * Begins a login: one call, which reads the account and the counters together. Once failures have
   * consequences, an attempt is counted before its password is looked at, in one more call: of many at once
   * only one is let through. Before that they are counted when they have failed, so that a right password costs
   * no write; a volley can then go as far beyond the limit as requests run at once.
   *
   * @param username what the client sent; nothing is counted for what can be nobody's
   * @param address where the request came from
   * @throws ApiError `TooManyRequests` when it is too soon
   * @throws ApiError `ServiceUnavailable`
   */
  async begin(username: string, address: string): Promise<LoginAttempt> {
    if (!isUsername(username))
      return { account: undefined, failed: async () => {}, succeeded: async () => {} };
    const now = this.#now().getTime();
    const account = accountKey(username);
    const limits = [
      { ...counterKey(now, username, networkOf(address)), free: FREE_PER_ADDRESS },
      { ...counterKey(now, username), free: FREE_IN_ALL },
    ];
    const keys = [account, ...limits].map(({ pk, sk }) => ({ pk, sk }));
    const items = await batchGet(this.#client, this.#table, keys);
    const stored = new Map(items.map((item) => [item.pk, item]));
    const counters = limits.map((limit) => ({
      ...limit,
      ...Counter.parse({ failures: 0, last: 0, ...limit, ...stored.get(limit.pk) }),
    }));
    refuseEarly(counters, now);

    const strict = counters.filter(hasConsequences);
    for (const counter of strict) await this.#claim(counter);
    const found = stored.get(account.pk);
    return {
      account: found && StoredAccount.parse(found),
      failed: async () => {
        await mapConcurrently(
          counters.filter((counter) => !hasConsequences(counter)),
          (counter) => this.#count(counter),
        );
      },
      succeeded: async () => {
        await mapConcurrently(
          counters.filter(({ failures }) => failures > 0),
          (counter) => this.#clear(counter),
        );
      },
    };
  }

  /** Counts a failure. A repeated attempt at it, whose first answer was lost, counts no second one. */
  async #count(counter: Counter): Promise<void> {
    const by = crypto.randomUUID();
    const isNew = "attribute_not_exists(#by) OR #by <> :by";
    try {
      await this.#update(counter, by, "ADD failures :one", { ":one": 1 }, isNew);
    } catch (error) {
      if (conditionFailureItem(error) === undefined) throw error;
    }
  }

  /** Counts a failure in advance, unless another one has been counted since the counter was read. */
  async #claim(counter: Counter): Promise<void> {
    const by = crypto.randomUUID();
    const values = { ":one": 1, ":seen": counter.failures };
    try {
      await this.#update(counter, by, "ADD failures :one", values, "failures = :seen");
    } catch (error) {
      const met = conditionFailureItem(error);
      if (met === undefined) throw error;
      // Unless it has met itself: an attempt whose answer was lost.
      if (met.by?.S !== by) throw tooManyAttempts(delayAfter(counter.failures + 1, counter.free));
    }
  }

  /** Forgets the failures. */
  async #clear(counter: Counter): Promise<void> {
    await this.#update(counter, crypto.randomUUID(), ", failures = :none", { ":none": 0 });
  }

  async #update(
    { pk, sk }: Counter,
    by: string,
    change: string,
    values: Readonly<Record<string, number>>,
    condition?: string,
  ): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { pk, sk },
        UpdateExpression: `SET #last = :now, #by = :by, expires_at = :expires ${change}`,
        ConditionExpression: condition,
        ExpressionAttributeNames: { "#last": "last", "#by": "by" },
        ExpressionAttributeValues: {
          ":now": this.#now().getTime(),
          ":by": by,
          ":expires": ((Number(sk) + 1) * WINDOW_MS) / 1_000,
          ...values,
        },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
  }
}

/** Where the failures at a username are counted in this quarter of an hour. */
function counterKey(now: number, ...what: readonly string[]) {
  const digest = createHash("sha256").update(JSON.stringify(what)).digest("base64url");
  return { pk: `failures#${digest}`, sk: String(Math.floor(now / WINDOW_MS)) };
}

function hasConsequences({ failures, free }: Counter): boolean {
  return failures >= free;
}

function refuseEarly(counters: readonly Counter[], now: number): void {
  const delays = counters.map(({ failures, free, last }) => {
    const delay = delayAfter(failures, free);
    // Whoever counted last may have a clock that is ahead.
    return Math.min(delay, last + delay - now);
  });
  const longest = Math.max(...delays);
  if (longest > 0) throw tooManyAttempts(longest);
}

/**
 * The failure of a login that comes too soon after others that failed.
 *
 * @param milliseconds until the next one is looked at
 */
export function tooManyAttempts(milliseconds: number): ApiError {
  const seconds = Math.ceil(milliseconds / 1_000);
  return new ApiError("TooManyRequests", `Too many failed logins, please try again in ${seconds} s`, {
    headers: { "retry-after": String(seconds) },
  });
}
