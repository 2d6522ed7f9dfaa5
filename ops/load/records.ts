/** A number from 0 up to and without 1. */
export type Random = () => number;

/**
 * A random sequence that is the same each time, so that two loads differ in nothing but the service
 * (mulberry32).
 *
 * @param seed where it begins
 */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `doomed` are todos that nothing else than their deletion is about. */
export type Kind = "todos" | "doomed" | "users" | "products" | "posts" | "items" | "orders";

/** The paths of records that the load works on. */
export class Records {
  readonly #paths: Record<Kind, string[]> = {
    todos: [],
    doomed: [],
    users: [],
    products: [],
    posts: [],
    items: [],
    orders: [],
  };
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param path from the `Location` header; undefined is no record */
  add(kind: Kind, path: string | undefined): void {
    if (path !== undefined) this.#paths[kind].push(path);
  }

  /** One of them, or undefined when there is none. */
  any(kind: Kind): string | undefined {
    const paths = this.#paths[kind];
    return paths[Math.floor(this.#random() * paths.length)];
  }

  /** One of them, which is gone then. */
  take(kind: Kind): string | undefined {
    return this.#paths[kind].pop();
  }

  /** All of a kind. */
  all(kind: Kind): readonly string[] {
    return this.#paths[kind];
  }
}
