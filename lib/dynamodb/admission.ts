import { hash, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ApiError } from "../domain/errors.ts";
import { type ReadBudget, ReadBudgetExceeded } from "../domain/read-budget.ts";
import { isErrorNamed } from "./client.ts";
import { currentTime } from "./clock.ts";

// All requests that read many records of a table share a part of its units a second, and of those of each
// partition key; large writes share a part of its write units. The rest is kept for single records. An item
// for each quarter of a second counts what they take (docs/adr/0028).

/** Begins the partition keys of the items that count reads. */
export const COUNTED_READS = prefixOf("reads");

/** Of the units that the table serves in a second. */
export const ADMITTED_SHARE = 0.65;
/** Of contents, which single records have. */
const CONTENTS_SHARE = 0.85;
/** Of the 3,000 that a partition key serves in a second. A content has a key of its own. */
const KEY_UNITS = { reads: 2_048, contents: 1_024, writes: 0, carts: 0 };
/** That a partition key serves in a second. The products of a large cart often have the same key. */
export const KEY_WRITE_UNITS = 1_000;
const WINDOW_MS = 250;
const LIFETIME_SECONDS = 3_600;

/** So much may be taken before it is paid for: small requests need no call and are never refused at first. */
const MAX_DEBT = 64;
/** What is expected to take more is paid for before, so that no other request pays for it. */
const MAX_SMALL_READ = 24;
/** As much as a query takes. */
const MAX_UNITS = 256;
/** What a read is expected to take falls by this factor from one read to the next. */
const DECAY = 0.5;
/** For so many windows a request that has begun to read waits for its turn. */
const MAX_WAITS = 4;

type Operation = "reads" | "contents" | "writes" | "carts";
type Kind = "query" | "batch";

const admissions = new WeakMap<DynamoDBDocumentClient, Map<string, Admission | undefined>>();

/** The admission to a table in this process; undefined where no stage limits tables, as for operators. */
export function admissionOf(
  client: DynamoDBDocumentClient,
  table: string,
  operation: Operation = "reads",
): Admission | undefined {
  const tables = admissions.get(client) ?? new Map<string, Admission | undefined>();
  admissions.set(client, tables);
  const key = `${operation} ${table}`;
  if (!tables.has(key)) {
    const { MAX_READ_UNITS, MAX_WRITE_UNITS } = process.env;
    const units = {
      reads: MAX_READ_UNITS,
      contents: MAX_READ_UNITS,
      writes: MAX_WRITE_UNITS,
      carts: MAX_WRITE_UNITS && KEY_WRITE_UNITS,
    };
    tables.set(
      key,
      units[operation] ? new Admission(client, table, Number(units[operation]), operation) : undefined,
    );
  }
  return tables.get(key);
}

/** Lets requests read many records of a table, or write large ones, as long as enough is left for others. */
export class Admission {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #prefix: string;
  /** Of a partition key in a window. */
  readonly #keyUnits: number;
  /** Of the table in a window. */
  readonly #windowUnits: number;
  readonly #maxUnits: number;
  /** What is paid for and not taken yet; negative for a debt. */
  #credit = 0;
  /** What a query, and a batch, may take; undefined until the first one has shown it. */
  readonly #expected: { [K in Kind]?: number } = {};
  #waiting = 0;
  /** The last window and partition of which nothing was left. */
  #refused = "";
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    unitsPerSecond: number,
    operation: Operation = "reads",
  ) {
    this.#client = client;
    this.#table = table;
    this.#prefix = prefixOf(operation);
    this.#keyUnits = (KEY_UNITS[operation] * WINDOW_MS) / 1_000;
    const share = operation === "contents" ? CONTENTS_SHARE : ADMITTED_SHARE;
    this.#windowUnits = Math.floor((share * unitsPerSecond * WINDOW_MS) / 1_000);
    this.#maxUnits = Math.min(MAX_UNITS, this.#windowUnits / 2);
  }

  /**
   * Admits a read. At most one call, and none for small reads. A request that has read before waits for its
   * turn. The first read of a process ends before others begin.
   *
   * @param partition that is read, such as a block of records; undefined for several
   * @returns reports the units that the read has taken; undefined if it was throttled
   * @throws ApiError `TooManyRequests`; ReadBudgetExceeded when the time of the request is over
   */
  async admit(
    partition: string | undefined,
    budget?: ReadBudget,
  ): Promise<(units: number | undefined) => void> {
    const kind = partition === undefined ? "batch" : "query";
    const { promise: isMeasured, resolve } = Promise.withResolvers<void>();
    this.#waiting += 1;
    // One after the other, so that each finds the credit that the one before has left.
    const turn = this.#turn
      .then(() => this.#obtain(kind, partition, budget))
      .finally(() => {
        this.#waiting -= 1;
      });
    const isKnown = () => this.#expected[kind] !== undefined;
    this.#turn = turn.then(
      () => (isKnown() ? undefined : isMeasured),
      () => undefined,
    );
    const expected = await turn;
    return (units = this.#maxUnits) => {
      this.#credit += expected - units;
      const least = Math.max(1, units, (this.#expected[kind] ?? 0) * DECAY);
      this.#expected[kind] = Math.min(this.#maxUnits, least);
      resolve();
    };
  }

  async #obtain(kind: Kind, partition: string | undefined, budget?: ReadBudget): Promise<number> {
    const expected = this.#expected[kind] ?? 1;
    const maxDebt = expected > MAX_SMALL_READ ? 0 : MAX_DEBT;
    for (let waits = 0; this.#credit - expected < -maxDebt; ) {
      const wanted = expected * this.#waiting - this.#credit;
      if (await this.#pay(wanted, partition, MAX_DEBT + expected)) continue;
      if (!budget?.hasRead || waits === MAX_WAITS) throw tooManyRequests();
      waits += 1;
      const rest = WINDOW_MS - (currentTime().getTime() % WINDOW_MS);
      await sleep(rest, undefined, { signal: budget.signal }).catch(() => {
        throw new ReadBudgetExceeded();
      });
    }
    this.#credit -= expected;
    return expected;
  }

  /**
   * Admits a write if it, and what was taken before, is paid for. At most one call; `take` reports its units.
   *
   * @param units that it takes at least
   * @throws ApiError `TooManyRequests`
   */
  async admitWrite(units = 0): Promise<void> {
    const isLarge = this.#credit - units < -MAX_DEBT;
    if (isLarge && !(await this.#pay(units - this.#credit))) throw tooManyRequests();
  }

  take(units: number): void {
    this.#credit -= units;
  }

  /** Counts units in this window, at most as many as it has. One call. @returns false if too few are left */
  async #pay(wanted: number, partition?: string, mostOfKey = 0): Promise<boolean> {
    const now = currentTime().getTime();
    const window = this.#prefix + Math.floor(now / WINDOW_MS);
    if (this.#refused === window + partition) return false;
    const units = Math.ceil(Math.min(this.#windowUnits, wanted));
    const unitsOfKey = Math.min(units, mostOfKey);
    const ofKey = partition && {
      name: `k${hash("sha256", partition, "hex").slice(0, 8)}`,
      condition: " AND (attribute_not_exists(#key) OR #key <= :key)",
    };
    const update = new UpdateCommand({
      TableName: this.#table,
      Key: { pk: window, sk: 0 },
      UpdateExpression: `ADD #units :units${ofKey ? ", #key :ofKey" : ""} SET expires_at = :end`,
      ConditionExpression: `(attribute_not_exists(#units) OR #units <= :left)${ofKey ? ofKey.condition : ""}`,
      ExpressionAttributeNames: { "#units": "units", ...(ofKey && { "#key": ofKey.name }) },
      ExpressionAttributeValues: {
        ":units": units,
        ":left": this.#windowUnits - units,
        ...(ofKey && { ":ofKey": unitsOfKey, ":key": this.#keyUnits - unitsOfKey }),
        ":end": Math.floor(now / 1_000) + LIFETIME_SECONDS,
      },
    });
    try {
      await this.#client.send(update);
      this.#credit += units;
      return true;
    } catch (error) {
      if (!isErrorNamed(error, "ConditionalCheckFailedException")) throw error;
      this.#refused = window + partition;
      return false;
    }
  }
}

function prefixOf(operation: Operation): string {
  return `${operation}#`;
}

/** The error of a request while all of them together take too much of a table. */
export function tooManyRequests(): ApiError {
  return new ApiError("TooManyRequests", "Much is being read or written here: ask for less, or again later", {
    retryAfterSeconds: 1 + randomInt(3),
  });
}
