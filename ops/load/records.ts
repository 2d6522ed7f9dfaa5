import { deletionOf, idIn, type PreparedRequest, referencesOf } from "../../functions/example-requests.ts";
import { loadRequest } from "./mix.ts";

/** The requests that delete what a load has created, by the route that created it and the id. */
export type Deletions = Map<string, Map<number, PreparedRequest | undefined>>;

/** The records of one client of a load. No other client's requests are about them. */
export class ClientRecords {
  /** The ids of the latest records, by the route that created them. */
  readonly #ids = new Map<string, number>();
  readonly #deletions: Deletions;
  readonly #unique: string;

  /** @param unique part of the records' names */
  constructor(deletions: Deletions, unique: string) {
    this.#deletions = deletions;
    this.#unique = unique;
  }

  /**
   * The request of a route, after creating those records to which it refers and which do not exist.
   *
   * @param send sends the request of a creation and returns the record's `Location`
   */
  async request(
    key: string,
    send: (request: PreparedRequest) => Promise<string | undefined>,
  ): Promise<PreparedRequest> {
    for (const creation of referencesOf(key))
      if (!this.#ids.has(creation)) this.created(creation, await send(await this.request(creation, send)));
    return loadRequest(key, this.#ids, this.#unique);
  }

  /** @param location of the record; one without has no id and is not deleted */
  created(creation: string, location: string | undefined): void {
    this.#forget(creation);
    const id = idIn(location);
    this.#ids.set(creation, id);
    const deletion = deletionOf(creation);
    const request = deletion === undefined ? undefined : loadRequest(deletion, this.#ids, "");
    const ofRoute: Map<number, PreparedRequest | undefined> = this.#deletions.get(creation) ?? new Map();
    this.#deletions.set(creation, ofRoute.set(id, request));
  }

  /** What the request of a route has deleted. */
  deleted(key: string): void {
    const creation = referencesOf(key).at(-1) ?? "";
    this.#deletions.get(creation)?.delete(this.#ids.get(creation) ?? 0);
    this.#forget(creation);
  }

  /** Records that refer to another one are created anew with it. */
  #forget(creation: string): void {
    for (const key of [...this.#ids.keys()])
      if (key === creation || referencesOf(key).includes(creation)) this.#ids.delete(key);
  }
}
