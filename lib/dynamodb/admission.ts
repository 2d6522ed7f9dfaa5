import { setTimeout as sleep } from "node:timers/promises";
import {
  type DynamoDBClient,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { type ApiError, tooManyRequests } from "../domain/errors.ts";
import type { ReadBudget } from "../domain/read-budget.ts";
import { toRawInput } from "./attribute-values.ts";
import { isErrorNamed } from "./client.ts";

// Requests that read many records, or read or write a long text, buy their units of a part of a table (docs/adr/0028).

/** The part of a table's units that is sold. */
const SHARE_OF_TABLE = 0.65;
/** A second, of one text. DynamoDB serves 3,000 of a partition key. */
const UNITS_OF_TEXT = 2_048;
/** A request borrows up to 64 units. For more, it first pays for all that its process has borrowed. */
const MAX_BORROWED = 64;
/** When a purchase fails, a process borrows 1,024 more, and at most what a list may read: 64 MB. */
const UNAVAILABLE = { step: 1_024, maxBorrowed: 16_384 };
const MAX_WAIT_MS = { firstRead: 250, nextRead: 1_000, write: 2_000 };
/** A read is expected to take what the last one took, and at most what a query takes: 1 MB. */
const MAX_EXPECTED = 256;
/** After its last sale, DynamoDB deletes the item. */
const LIFETIME_SECONDS = 3_600;
/** Further texts are new to the process: it forgets what it has borrowed. */
const MAX_ADMISSIONS = 1_000;

type StoredKey = Readonly<Record<"pk" | "sk", string | number>>;

/** Reads of many records, writes, or reads of the text under a partition key. */
type Kind = "reads" | "writes" | `reads#${string}`;

const admissions = new WeakMap<DynamoDBClient, Map<string, Admission>>();

/** The admission to a table in this process; undefined where no stage limits tables, as for operators. */
export function admissionOf(client: DynamoDBClient, table: string, kind: Kind = "reads") {
  const limit = Number(kind === "writes" ? process.env.MAX_WRITE_UNITS : process.env.MAX_READ_UNITS);
  if (!limit) return undefined;
  const all = admissions.get(client) ?? new Map<string, Admission>();
  admissions.set(client, all);
  const key = `${table} ${kind}`;
  if (!all.has(key) && all.size === MAX_ADMISSIONS) all.clear();
  const units = kind.startsWith("reads#") ? UNITS_OF_TEXT : SHARE_OF_TABLE * limit;
  const admission = all.get(key) ?? new Admission(client, table, kind, units);
  all.set(key, admission);
  return admission;
}

/**
 * Sells the units of each second once, to all processes. An item of the table stores until when they are sold: a
 * purchase moves that on, and its turn is the time that was stored before.
 */
export class Admission {
  readonly #client: DynamoDBClient;
  readonly #item: { readonly TableName: string; readonly Key: StoredKey };
  readonly #rate: number;
  readonly #wait: typeof sleep<void>;
  /** Units that are bought and not used; negative for borrowed ones. */
  #balance = 0;
  #maxBorrowed = MAX_BORROWED;
  /** As this process saw it last. */
  #soldUntil = 0;
  #expected: number | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(client: DynamoDBClient, table: string, kind: Kind, rate: number, wait = sleep<void>) {
    this.#client = client;
    this.#item = { TableName: table, Key: { pk: `${kind}#`, sk: 0 } };
    this.#rate = rate;
    this.#wait = wait;
  }

  /**
   * Admits a read, later if the request has read before. The first one of a process shows what a read takes.
   * @returns reports the units that the read has taken; undefined if it was throttled
   * @throws ApiError `TooManyRequests`
   */
  async admit({ hasRead, signal }: Partial<ReadBudget> = {}): Promise<(units?: number) => void> {
    const { promise: isMeasured, resolve } = Promise.withResolvers<void>();
    const maxWait = hasRead ? MAX_WAIT_MS.nextRead : MAX_WAIT_MS.firstRead;
    // One after the other, so that a request with many reads does not wait for itself.
    const turn = this.#turn.then(async () => {
      const expected = this.#expected ?? 0;
      await this.obtain(expected, signal, maxWait);
      this.take(expected);
      return expected;
    });
    const next = () => (this.#expected === undefined ? isMeasured : undefined);
    this.#turn = turn.then(next, () => undefined);
    const expected = await turn;
    return (units = MAX_EXPECTED) => {
      this.take(units - expected);
      if (units > 0) this.#expected = Math.min(units, MAX_EXPECTED);
      resolve();
    };
  }

  /** Borrows units, or buys them and waits for its turn. `take` uses them. @throws ApiError `TooManyRequests` */
  async obtain(units: number, signal?: AbortSignal, maxWaitMs = MAX_WAIT_MS.write): Promise<void> {
    const missing = units - this.#balance;
    if (missing <= this.#maxBorrowed) return;
    try {
      // What was borrowed while purchases failed is never paid: nobody else could buy it either.
      const turn = await this.#buy(this.#maxBorrowed === MAX_BORROWED ? missing : units, maxWaitMs);
      this.#balance += missing;
      this.#maxBorrowed = MAX_BORROWED;
      if (turn > Date.now()) await this.#wait(turn - Date.now(), undefined, { signal });
    } catch (error) {
      if (signal?.aborted) throw tooManyRequests();
      const canBorrow = missing <= UNAVAILABLE.maxBorrowed;
      if (!canBorrow || (error as ApiError).code !== "ServiceUnavailable") throw error;
      this.#maxBorrowed = missing + UNAVAILABLE.step;
    }
  }

  take(units: number): void {
    this.#balance -= units;
  }

  /** One call, and one more for each purchase of another process in the meantime. @returns the turn */
  async #buy(units: number, maxWaitMs: number): Promise<number> {
    for (;;) {
      const now = Date.now();
      const turn = Math.max(now, this.#soldUntil);
      if (turn > now + maxWaitMs) throw tooManyRequests(turn - now);
      const until = turn + (units * 1_000) / this.#rate;
      const end = Math.ceil(until / 1_000) + LIFETIME_SECONDS;
      const update = toRawInput<UpdateItemCommandInput>({
        ...this.#item,
        UpdateExpression: "SET sold_until = :until, expires_at = :end",
        ConditionExpression: "attribute_not_exists(sold_until) OR sold_until <= :turn",
        ExpressionAttributeValues: { ":turn": turn, ":until": until, ":end": end },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      });
      try {
        await this.#client.send(new UpdateItemCommand(update));
        this.#soldUntil = until;
        return turn;
      } catch (error) {
        if (!isErrorNamed(error, "ConditionalCheckFailedException")) throw error;
        const { Item } = error as { Item?: { sold_until?: { N: string } } };
        this.#soldUntil = Number(Item?.sold_until?.N);
      }
    }
  }
}
