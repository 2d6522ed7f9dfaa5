import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "./errors.ts";

/**
 * What a request may read that has to see every record, for example to sort them: 131,072 read units, and a
 * million records of half a kilobyte.
 */
export const MAX_BYTES = 512 * 1024 * 1024;
/** What a request may read for one part of a list that a cursor continues. */
export const MAX_BYTES_OF_PART = 64 * 1024 * 1024;

/** The pause between two reads after the first one was throttled, and the longest one. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 300;
/** What each successful read leaves of the pause. */
const PAUSE_DECAY = 0.97;
/** After so many slow-downs without a successful read, it is given up: the table serves nobody. */
const MAX_SLOW_DOWNS = 5;

/** How much one request may still read, how fast, and until when. All reads of a request share it. */
export class ReadBudget {
  readonly #createSignal: () => AbortSignal;
  readonly #wait: typeof sleep<void>;
  #signal: AbortSignal | undefined;
  #bytes: number;
  #spent = 0;
  #reads = 0;
  #running = 0;
  #pause = 0;
  #nextTurn = 0;
  #slowedDownAt = 0;
  #slowDowns = 0;

  /**
   * @param createSignal makes the signal that aborts when the time is over; called by the first read
   * @param bytes as the database counts them: a read unit is 4 KB
   * @param wait for a number of milliseconds
   */
  constructor(createSignal: () => AbortSignal, bytes = MAX_BYTES, wait = sleep<void>) {
    this.#createSignal = createSignal;
    this.#bytes = bytes;
    this.#wait = wait;
  }

  /**
   * A smaller budget with the same end, for a part of a list: reading less, it responds sooner. The part ends
   * where the budget is spent.
   */
  forPart(): ReadBudget {
    return new ReadBudget(() => this.signal, Math.min(this.#bytes, MAX_BYTES_OF_PART));
  }

  /** Ends the calls that are still running when the time is over. */
  get signal(): AbortSignal {
    this.#signal ??= this.#createSignal();
    return this.#signal;
  }

  /** Whether no read may begin: those that are running are taken to cost what the others did on average. */
  get #isSpent(): boolean {
    return this.#bytes <= (this.#running * this.#spent) / Math.max(1, this.#reads) || this.signal.aborted;
  }

  /** How many more parts of a list the rest pays for. @param done how many parts cost what has been spent */
  affordable(done: number): number {
    return Math.floor((done * this.#bytes) / Math.max(1, this.#spent));
  }

  /**
   * Begins a read: at once, unless reads were throttled. `end` or `fail` follows.
   *
   * @returns the time, for `fail`
   * @throws ReadBudgetExceeded if the budget is spent or the time is over
   */
  async begin(): Promise<number> {
    const now = Date.now();
    const turn = Math.max(now, this.#nextTurn);
    this.#nextTurn = turn + this.#pause;
    if (turn > now) await this.#wait(turn - now, undefined, { signal: this.signal }).catch(() => undefined);
    if (this.#isSpent) throw new ReadBudgetExceeded();
    this.#running += 1;
    return turn;
  }

  /** Ends a read and pays for it. */
  end(bytes: number): void {
    this.#running -= 1;
    this.#bytes -= bytes;
    this.#spent += bytes;
    this.#reads += 1;
    this.#pause *= PAUSE_DECAY;
    this.#slowDowns = 0;
  }

  /**
   * Ends a read that failed. If it was throttled, the rate of further reads is halved: those of other
   * requests have room.
   *
   * @param turn when the read began: reads that were throttled together count once
   * @returns whether to repeat it
   * @throws ReadBudgetExceeded if the time is over
   */
  fail(turn: number, isThrottled: boolean): boolean {
    this.#running -= 1;
    if (this.signal.aborted) throw new ReadBudgetExceeded();
    if (isThrottled && turn >= this.#slowedDownAt) {
      this.#slowedDownAt = Date.now();
      this.#pause = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * this.#pause));
      this.#slowDowns += 1;
    }
    return isThrottled && this.#slowDowns < MAX_SLOW_DOWNS;
  }
}

/**
 * The error of a request that would have to read more than its budget.
 *
 * @param advice a sentence without a full stop: what the client can ask for instead
 */
export class ReadBudgetExceeded extends ApiError {
  constructor(advice = "Ask for less, for instance with a `limit`") {
    super("ServiceUnavailable", `This would read more records than one request may. ${advice}`);
  }
}

/** Runs reads that cannot end early. Says what to ask for instead if they exceed the budget. */
export async function withAdvice<T>(advice: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof ReadBudgetExceeded ? new ReadBudgetExceeded(advice) : error;
  }
}
