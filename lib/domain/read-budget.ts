import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "./errors.ts";

/** For requests that have to see every record (docs/adr/0019): as much as is admitted in 18 s. */
export const MAX_BYTES = 448 * 1024 * 1024;
export const MAX_BYTES_OF_PART = 64 * 1024 * 1024;

/** After the first throttled read, and the longest one. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 300;
const PAUSE_DECAY = 0.97;
/** Without a successful read in between, the request gives up after so many. */
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

  /** @param bytes as the database counts them: a read unit is 4 KB */
  constructor(createSignal: () => AbortSignal, bytes = MAX_BYTES, wait = sleep<void>) {
    this.#createSignal = createSignal;
    this.#bytes = bytes;
    this.#wait = wait;
  }

  /** For a part of a list: reading less, it responds sooner. */
  forPart(): ReadBudget {
    return new ReadBudget(() => this.signal, Math.min(this.#bytes, MAX_BYTES_OF_PART));
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#createSignal();
    return this.#signal;
  }

  get hasRead(): boolean {
    return this.#reads > 0;
  }

  /** Running reads are taken to cost what the others did on average. */
  get #isSpent(): boolean {
    return this.#bytes <= (this.#running * this.#spent) / Math.max(1, this.#reads) || this.signal.aborted;
  }

  /** How many more parts of a list the rest pays for. @param done how many parts cost what has been spent */
  affordable(done: number): number {
    return Math.floor((done * this.#bytes) / Math.max(1, this.#spent));
  }

  /** Begins a read. Returns the time, for `fail`. @throws ReadBudgetExceeded also when time is over */
  async begin(): Promise<number> {
    const now = Date.now();
    const turn = Math.max(now, this.#nextTurn);
    this.#nextTurn = turn + this.#pause;
    if (turn > now) await this.#wait(turn - now, undefined, { signal: this.signal }).catch(() => undefined);
    if (this.#isSpent) throw new ReadBudgetExceeded();
    this.#running += 1;
    return turn;
  }

  end(bytes: number): void {
    this.#running -= 1;
    this.#bytes -= bytes;
    this.#spent += bytes;
    this.#reads += 1;
    this.#pause *= PAUSE_DECAY;
    this.#slowDowns = 0;
  }

  /**
   * Ends a failed read. Throttled ones halve the rate, together once. @returns whether to repeat it @throws
   * ReadBudgetExceeded
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

/** The budget is exceeded. @param advice what to ask for instead: a sentence without a full stop */
export class ReadBudgetExceeded extends ApiError {
  constructor(advice = "Request fewer, for example with `limit`") {
    super("ServiceUnavailable", `This request would read too many records. ${advice}`);
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
