import { setImmediate as settled } from "node:timers/promises";

/** How many turns of the event loop the code needs at most from one wait to the next. */
const TURNS = 2;

/** Time that passes only when nothing else is left to do. */
export class VirtualClock {
  /** Milliseconds since the start. */
  now = 0;
  /** A binary heap by time. */
  readonly #waiting: { readonly at: number; readonly wake: () => void }[] = [];

  date(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.now);
  }

  wait(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ at: this.now + milliseconds, wake: resolve });
    for (let child = this.#waiting.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (this.#at(parent) <= this.#at(child)) break;
      this.#swap(parent, child);
      child = parent;
    }
    return promise;
  }

  /** Lets time pass until nobody waits any more. */
  async run(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#wakeNext();
      for (let turn = 0; turn < TURNS; turn += 1) await settled();
    }
  }

  #wakeNext(): void {
    this.#swap(0, this.#waiting.length - 1);
    const next = this.#waiting.pop();
    for (let parent = 0; ; ) {
      const children = [2 * parent + 1, 2 * parent + 2];
      const least = children.reduce((a, b) => (this.#at(b) < this.#at(a) ? b : a), parent);
      if (least === parent) break;
      this.#swap(parent, least);
      parent = least;
    }
    this.now = next?.at ?? this.now;
    next?.wake();
  }

  #at(index: number): number {
    return this.#waiting[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const waiting = this.#waiting;
    [waiting[a], waiting[b]] = [waiting[b], waiting[a]] as [(typeof waiting)[0], (typeof waiting)[0]];
  }
}
