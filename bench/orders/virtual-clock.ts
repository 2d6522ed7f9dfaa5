import { setImmediate as settled } from "node:timers/promises";

/** How many turns of the event loop the code needs at most from one wait to the next. */
const TURNS = 2;

/** Time that passes only when nothing else is left to do. */
export class VirtualClock {
  /** Milliseconds since the start. */
  now = 0;
  /** In the order of their times. */
  readonly #waiting: { readonly at: number; readonly wake: () => void }[] = [];

  wait(milliseconds: number): Promise<void> {
    const { promise, resolve: wake } = Promise.withResolvers<void>();
    const at = this.now + milliseconds;
    this.#waiting.splice(this.#waiting.findLastIndex((other) => other.at <= at) + 1, 0, { at, wake });
    return promise;
  }

  /** Lets time pass until nobody waits any more. */
  async run(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.now = next.at;
      next.wake();
      for (let turn = 0; turn < TURNS; turn += 1) await settled();
    }
  }
}
