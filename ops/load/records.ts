/** The paths of the records that requests of the load are about, by collection: `/todos/1` is one of `/todos`. */
export class RecordPaths {
  readonly #collections = new Map<string, string[]>();
  readonly #picked = new Set<string>();

  /** @param path a `Location` header */
  add(path: string): void {
    const collection = path.slice(0, path.lastIndexOf("/"));
    const paths = this.#collections.get(collection) ?? [];
    this.#collections.set(collection, paths);
    paths.push(path);
  }

  /** A random path; undefined if there is none. */
  pick(collection: string): string | undefined {
    const paths = this.#collections.get(collection) ?? [];
    const path = paths[Math.floor(Math.random() * paths.length)];
    if (path !== undefined) this.#picked.add(path);
    return path;
  }

  /** Removes the newest path, to delete its record; undefined if another request, which may be running, is about it. */
  take(collection: string): string | undefined {
    const paths = this.#collections.get(collection) ?? [];
    return this.#picked.has(paths.at(-1) ?? "") ? undefined : paths.pop();
  }

  all(): string[] {
    return [...this.#collections.values()].flat();
  }
}
