import type { LoadShare } from "../../functions/define-area.ts";
import { allRoutes, definitions } from "../../functions/definitions.ts";
import {
  deletionOf,
  firstPage,
  idIn,
  type PreparedRequest,
  prepare,
  prepareWithRecords,
  type RecordSource,
  referencesOf,
} from "../../functions/example-requests.ts";
import type { TokenNeeds } from "../../ops/credentials.ts";

export interface MixEntry {
  readonly route: string;
  readonly weight: number;
  readonly status: number;
}

const shares: Readonly<Record<string, LoadShare>> = Object.fromEntries(
  Object.values(definitions)
    .flatMap(({ load }) => Object.entries(load ?? {}))
    .map(([key, share = 0]) => [key, typeof share === "number" ? { weight: share } : share]),
);

/** The mix of requests. Creations without a weight only make the records that others refer to. */
export const mix: readonly MixEntry[] = allRoutes.flatMap((route) => {
  const { weight } = shares[route.key] ?? { weight: 0 };
  return weight === 0 ? [] : [{ route: route.key, weight, status: Number(Object.keys(route.responses)[0]) }];
});

/** Whether a request of a route, or one that creates a record for it, is allowed to administrators only. */
export function dependsOnAdmin(key: string, needs: TokenNeeds): boolean {
  const route = allRoutes.find((each) => each.key === key);
  return (
    (route !== undefined && needs(route) === "admin") ||
    referencesOf(key).some((reference) => dependsOnAdmin(reference, needs))
  );
}

export function pickEntry(entries: readonly MixEntry[]): MixEntry | undefined {
  let rest = Math.random() * entries.reduce((sum, { weight }) => sum + weight, 0);
  return entries.find(({ weight }) => {
    rest -= weight;
    return rest < 0;
  });
}

/** With what the area replaces. Of a list the first page: the cost of a whole one depends on its length. */
function loadRequest(example: PreparedRequest): PreparedRequest {
  const { route, target, body } = example;
  const query = Object.entries(firstPage(route, 10) ?? {}).map(([name, value]) => `${name}=${value}`);
  if (query.length > 0) return { ...example, target: `${target.split("?")[0]}?${query.join("&")}` };
  const replaced = shares[route.key]?.body;
  return replaced ? { ...example, body: { ...(body as object), ...replaced } } : example;
}

/** The records of one client of a load. No other client's requests are about them. */
export class ClientRecords {
  readonly deletions = new Map<string, PreparedRequest>();
  /** The routes that created what no route deletes. */
  readonly remaining = new Set<string>();
  readonly #source: RecordSource;

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
