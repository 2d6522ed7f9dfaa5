import { syncBuiltinESMExports } from "node:module";
import timers, { setImmediate as settled } from "node:timers/promises";

/** How many turns of the event loop the code needs at most from one wait to the next. */
const TURNS = 3;
const START = Date.UTC(2026, 0, 1);

/**
 * Time that passes only when nothing else is left to do. All code of the process lives in it, the SDK's retries included:
 * import what waits, or reads the time, after `install`.
 */
export class VirtualClock {
  /** Milliseconds since the start. */
  now = 0;
  /** In the order of their times. */
  readonly #waiting: { readonly at: number; readonly wake: () => void }[] = [];

  /** Replaces the clock and the timers of the process. */
  install(): void {
    Date.now = () => START + this.now;
    AbortSignal.timeout = (delay) => {
      const controller = new AbortController();
      void this.wait(delay).then(() => controller.abort());
      return controller.signal;
    };
    timers.setTimeout = ((delay = 0, value?: unknown) => this.wait(delay).then(() => value)) as never;
    syncBuiltinESMExports();
    globalThis.setTimeout = ((callback: () => void, delay = 0) => {
      void this.wait(delay).then(callback);
      return { unref: () => undefined, ref: () => undefined };
    }) as never;
  }

  wait(milliseconds: number): Promise<void> {
    const { promise, resolve: wake } = Promise.withResolvers<void>();
    const at = this.now + milliseconds;
    this.#waiting.splice(this.#waiting.findLastIndex((other) => other.at <= at) + 1, 0, { at, wake });
    return promise;
  }

  /** Lets time pass until nobody waits any more. */
  async run(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.now = Math.max(this.now, next.at);
      next.wake();
      for (let turn = 0; turn < TURNS; turn += 1) await settled();
    }
  }
}
