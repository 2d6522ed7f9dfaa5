import { idIn, referencesOf } from "../../functions/example-requests.ts";

/** A record with those that its creation referred to: ids by the route that created them. */
export type RecordIds = ReadonlyMap<string, number>;

/** The records that a load has created. */
export class LoadRecords {
  readonly #records = new Map<string, RecordIds[]>();
  readonly #picked = new Set<RecordIds>();

  /**
   * @param creation the key of the route that created it
   * @param references the records to which its creation referred
   * @param location its `Location`; records without one have no id and are not removed
   */
  add(creation: string, references: RecordIds, location: string | undefined): void {
    const records = this.#records.get(creation) ?? [];
    this.#records.set(creation, records);
    records.push(new Map(references).set(creation, idIn(location)));
  }

  /**
   * Picks random records for an example request. For a deletion it takes the newest one away.
   *
   * @returns undefined if there is none, or another request, which may be running, is about the one to delete
   */
  pick(key: string): RecordIds | undefined {
    const ids = new Map<string, number>();
    // The last reference first, because its record says which ones the others have to be.
    for (const creation of referencesOf(key).toReversed()) {
      if (ids.has(creation)) continue;
      const record = key.startsWith("DELETE ") && ids.size === 0 ? this.#take(creation) : this.#any(creation);
      if (record === undefined) return undefined;
      for (const [route, id] of record) ids.set(route, id);
    }
    return ids;
  }

  /** All records with the routes that created them, the last route first. */
  all(): [creation: string, RecordIds[]][] {
    return [...this.#records].reverse();
  }

  #any(creation: string): RecordIds | undefined {
    const records = this.#records.get(creation) ?? [];
    const record = records[Math.floor(Math.random() * records.length)];
    if (record) this.#picked.add(record);
    return record;
  }

  #take(creation: string): RecordIds | undefined {
    const records = this.#records.get(creation) ?? [];
    const newest = records.at(-1);
    return newest === undefined || this.#picked.has(newest) ? undefined : records.pop();
  }
}
