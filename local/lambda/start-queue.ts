/**
 * Limits how many execution environments start at the same time, over all functions. More starts than cores would slow
 * each other down until all exceed the time limit of an initialization. Starts begin in the order of their requests.
 */
export class StartQueue {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param limit the maximum number of simultaneous starts */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs a start when it is its turn. */
  async run<T>(start: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1;
    // The start that ends passes its place on.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await start();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
