import { ApiError } from "./errors.ts";

/**
 * What a request may read that has to see every record, for example to sort them: 131,072 read units, and a million
 * records of half a kilobyte.
 */
export const MAX_BYTES = 512 * 1024 * 1024;
/** What a request may read for one part of a list that a cursor continues. */
export const MAX_BYTES_OF_PART = 64 * 1024 * 1024;

/** How much one request may still read, and until when. All reads of a request share it. */
export class ReadBudget {
  readonly #createSignal: () => AbortSignal;
  #signal: AbortSignal | undefined;
  #bytes: number;

  /**
   * @param createSignal makes the signal that aborts when the time is over; called when the first read needs it
   * @param bytes as the database counts them: a read unit is 4 KB
   */
  constructor(createSignal: () => AbortSignal, bytes = MAX_BYTES) {
    this.#createSignal = createSignal;
    this.#bytes = bytes;
  }

  /**
   * A smaller budget with the same end, for a part of a list: reading less, it responds sooner. The part ends where the
   * budget is spent.
   */
  forPart(): ReadBudget {
    return new ReadBudget(() => this.signal, Math.min(this.#bytes, MAX_BYTES_OF_PART));
  }

  /** Ends the calls that are still running when the time is over. */
  get signal(): AbortSignal {
    this.#signal ??= this.#createSignal();
    return this.#signal;
  }

  get isSpent(): boolean {
    return this.#bytes <= 0 || this.signal.aborted;
  }

  spend(bytes: number): void {
    this.#bytes -= bytes;
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
