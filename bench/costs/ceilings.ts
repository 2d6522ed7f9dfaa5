import { keyGroups } from "./measurements.ts";
import type { UnitsByKey } from "./partition-keys.ts";

/**
 * What one partition key takes per second (Amazon DynamoDB Developer Guide, "Best practices for designing and using
 * partition keys effectively").
 */
export const KEY_LIMITS = { read: 3_000, write: 1_000 };

/** A partition key that requests of one route have in common. */
interface SharedKey {
  readonly name: string;
  readonly read: number;
  readonly write: number;
  /** How many keys requests are spread over; this one stands for all. */
  readonly partitions: number;
}

export interface Ceiling {
  readonly request: string;
  readonly keys: readonly SharedKey[];
  readonly hottest: SharedKey;
  readonly perSecond: number;
}

const groups = Object.entries(keyGroups);

/**
 * Finds the partition keys that requests of a route share, and how often these allow it to be called. Requests that
 * create have new records; all others are for the same record, the worst case.
 *
 * @param byKey the units of one request
 * @returns undefined if the request uses no database
 */
export function ceilingOf(request: string, byKey: UnitsByKey): Ceiling | undefined {
  const shared = new Map<string, SharedKey>();
  for (const [key, { read, write }] of byKey) {
    const [table, ...rest] = key.split("/");
    const partition = rest.join("/");
    const [prefix, partitions] = groups.find(([each]) => partition.startsWith(each)) ?? ["", 1];
    // A creation does not share the keys that name its record, its idempotency key or its e-mail, for example.
    if (request.startsWith("POST ") && prefix === "" && partition.includes("#")) continue;
    const name = prefix === "" ? key : `${table}/${prefix}*`;
    const before = shared.get(name) ?? { read: 0, write: 0 };
    shared.set(name, { name, read: before.read + read, write: before.write + write, partitions });
  }
  const keys = [...shared.values()];
  // Calls at the same time can arrive in any order, so keys with the same ceiling are sorted by name.
  const byName = keys.sort((a, b) => (a.name < b.name ? -1 : 1));
  const sorted = byName.sort((a, b) => ceilingOfKey(a) - ceilingOfKey(b));
  const [hottest] = sorted;
  return hottest && { request, keys, hottest, perSecond: ceilingOfKey(hottest) };
}

function ceilingOfKey({ read, write, partitions }: SharedKey): number {
  return partitions * Math.min(KEY_LIMITS.read / read, KEY_LIMITS.write / write);
}
