/** Returns a number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** A pseudorandom sequence (mulberry32) that is the same for each run, so that two loads send the same requests. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const kinds = ["todos", "todosToDelete", "users", "products", "posts", "items", "orders"] as const;
/** `todosToDelete` are used by delete requests only. */
export type RecordKind = (typeof kinds)[number];

/** The paths of the records that requests of the load are about. */
export class RecordPaths {
  readonly #paths = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<
    RecordKind,
    string[]
  >;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param path a `Location` header; undefined is ignored */
  add(kind: RecordKind, path: string | undefined): void {
    if (path !== undefined) this.#paths[kind].push(path);
  }

  /** A random path; undefined if there is none. */
  pick(kind: RecordKind): string | undefined {
    const paths = this.#paths[kind];
    return paths[Math.floor(this.#random() * paths.length)];
  }

  /** Removes a path and returns it. */
  take(kind: RecordKind): string | undefined {
    return this.#paths[kind].pop();
  }

  all(kind: RecordKind): readonly string[] {
    return this.#paths[kind];
  }
}
