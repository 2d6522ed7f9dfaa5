import {
  deletionOf,
  idIn,
  type PreparedRequest,
  prepare,
  prepareWithRecords,
  type RecordSource,
  referencesOf,
} from "../../functions/example-requests.ts";
import { loadRequest } from "./mix.ts";

/** The records of one client of a load. No other client's requests are about them. */
export class ClientRecords {
  /** The requests that delete what was created, in the order of creation. */
  readonly deletions = new Map<string, PreparedRequest>();
  /** The routes that created what no route deletes. */
  readonly remaining = new Set<string>();
  readonly #source: RecordSource;

  /**
   * @param unique part of the records' names
   * @param send sends the request of a creation and returns the record's `Location`
   */
  constructor(unique: string, send: (request: PreparedRequest) => Promise<string | undefined>) {
    const create = async (example: PreparedRequest) =>
      this.created(example.route.key, await send(loadRequest(example)));
    this.#source = { ids: new Map(), unique, create };
  }

  /** The request of a route, after creating those records to which it refers and which do not exist. */
  async request(key: string): Promise<PreparedRequest> {
    return loadRequest(await prepareWithRecords(key, this.#source));
  }

  /** @returns the id in the record's `Location` */
  created(creation: string, location: string | undefined): number {
    this.#forget(creation);
    const id = idIn(location);
    const ids = this.#source.ids.set(creation, id);
    const deletion = deletionOf(creation);
    if (deletion === undefined) this.remaining.add(creation);
    else {
      const request = prepare(deletion, { unique: "", id: (route) => ids.get(route) ?? 0 });
      this.deletions.set(`${creation} ${id}`, request);
    }
    return id;
  }

  /** What the request of a route has deleted. */
  deleted(key: string): void {
    const creation = referencesOf(key).at(-1) ?? "";
    this.deletions.delete(`${creation} ${this.#source.ids.get(creation)}`);
    this.#forget(creation);
  }

  /** Records that refer to another one are created anew with it. */
  #forget(creation: string): void {
    const { ids } = this.#source;
    for (const key of [...ids.keys()])
      if (key === creation || referencesOf(key).includes(creation)) ids.delete(key);
  }
}
