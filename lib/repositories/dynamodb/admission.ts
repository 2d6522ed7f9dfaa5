import { hash, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ApiError } from "../../domain/errors.ts";
import { type ReadBudget, ReadBudgetExceeded } from "../../domain/read-budget.ts";
import { isErrorNamed } from "./client.ts";
import { currentTime } from "./clock.ts";

// All requests that read many records of a table share a part of its units a second, and of those of each
// partition key; the rest is kept for single records. An item for each quarter of a second counts what they
// take, in steps. Small reads, which each request may make, need no call for it (docs/adr/0028).

/** Begins the partition keys of the items that count reads. */
export const COUNTED_READS = "reads#";

/** Of the units that the table serves in a second. */
const TABLE_SHARE = 0.65;
/** Of the 3,000 that a partition key serves in a second. */
const KEY_UNITS = 2_000;
const WINDOW_MS = 250;
const LIFETIME_SECONDS = 3_600;

const STEP_UNITS = 64;
/** As much as a query takes; larger reads are paid for afterwards. */
const MAX_UNITS = 256;
/** For 1,000 requests a second, a tenth of a table's units. */
const FREE_PER_REQUEST = 1;
const MAX_FREE = 16;
/** What a read is expected to take falls by this factor from one read to the next. */
const DECAY = 0.9;
/** For so many windows a request that has begun to read waits for its turn. */
const MAX_WAITS = 12;

const admissions = new WeakMap<DynamoDBDocumentClient, Map<string, Admission | undefined>>();

/** The admission to a table in this process; undefined where no stage limits tables, as for operators. */
export function admissionOf(client: DynamoDBDocumentClient, table: string): Admission | undefined {
  const tables = admissions.get(client) ?? new Map<string, Admission | undefined>();
  admissions.set(client, tables);
  if (!tables.has(table)) {
    const { MAX_READ_UNITS: units } = process.env;
    tables.set(table, units ? new Admission(client, table, Number(units)) : undefined);
  }
  return tables.get(table);
}

/** Lets requests read many records of a table as long as enough is left for those that read one. */
export class Admission {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  /** Of the table in a window. */
  readonly #windowUnits: number;
  readonly #maxUnits: number;
  /** What may be read without a call; negative if reads have taken more than expected. */
  #credit = MAX_FREE;
  /** What a query, and a batch, may take; a step at first, so that many new processes can read little. */
  readonly #expected = { query: STEP_UNITS, batch: STEP_UNITS };
  #waiting = 0;
  /** The last window and partition of which nothing was left. */
  #refused = "";
  #turn: Promise<unknown> = Promise.resolve();

  constructor(client: DynamoDBDocumentClient, table: string, unitsPerSecond: number) {
    this.#client = client;
    this.#table = table;
    this.#windowUnits = (TABLE_SHARE * unitsPerSecond * WINDOW_MS) / 1_000;
    this.#maxUnits = Math.min(MAX_UNITS, this.#windowUnits / 2);
  }

  /**
   * Admits a read. No call, or one for at least 64 units. A request that has read before waits for its turn.
   *
   * @param partition that is read, such as a block of records; undefined for several
   * @returns reports the units that the read has taken
   * @throws ApiError `TooManyRequests`; ReadBudgetExceeded when the time of the request is over
   */
  async admit(partition: string | undefined, budget: ReadBudget): Promise<(units: number) => void> {
    if (!budget.hasRead && this.#credit < MAX_FREE) this.#credit += FREE_PER_REQUEST;
    this.#waiting += 1;
    // One after the other, so that each finds the credit that the one before has left.
    const turn = this.#turn.then(() => this.#obtain(partition, budget));
    this.#turn = turn.catch(() => undefined);
    const expected = await turn.finally(() => {
      this.#waiting -= 1;
    });
    return (units) => {
      this.#credit += expected - units;
      const kind = kindOf(partition);
      this.#expected[kind] = Math.min(this.#maxUnits, Math.max(1, units, this.#expected[kind] * DECAY));
    };
  }

  async #obtain(partition: string | undefined, budget: ReadBudget): Promise<number> {
    const kind = kindOf(partition);
    for (let waits = 0; this.#credit < this.#expected[kind]; ) {
      if (await this.#take(partition)) continue;
      if (!budget.hasRead || waits === MAX_WAITS) throw tooManyReads();
      waits += 1;
      const rest = WINDOW_MS - (currentTime().getTime() % WINDOW_MS);
      await sleep(rest, undefined, { signal: budget.signal }).catch(() => {
        throw new ReadBudgetExceeded();
      });
    }
    const expected = this.#expected[kind];
    this.#credit -= expected;
    return expected;
  }

  /** Takes steps of the units of this window, for all that wait. One call. @returns false if none are left */
  async #take(partition: string | undefined): Promise<boolean> {
    const now = currentTime().getTime();
    const window = COUNTED_READS + Math.floor(now / WINDOW_MS);
    if (this.#refused === window + partition) return false;
    const wanted = this.#expected[kindOf(partition)] * this.#waiting;
    const steps = Math.ceil((wanted - this.#credit) / STEP_UNITS);
    const units = Math.min(this.#windowUnits / 2, STEP_UNITS * steps);
    // Not what other partitions have taken.
    const unitsOfKey = Math.min(units, this.#maxUnits, Math.max(STEP_UNITS, wanted));
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
        ...(ofKey && { ":ofKey": unitsOfKey, ":key": (KEY_UNITS * WINDOW_MS) / 1_000 - unitsOfKey }),
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

function kindOf(partition: string | undefined): "query" | "batch" {
  return partition === undefined ? "batch" : "query";
}

/** The error of a request while all of them together read too much of a table. */
export function tooManyReads(): ApiError {
  return new ApiError("TooManyRequests", "Much of this list is being read: ask for less, or again later", {
    retryAfterSeconds: 1 + randomInt(3),
  });
}
