import type { UnitsByKey } from "../support/database/partition-keys.ts";
import { keyGroups } from "../support/measurements.ts";

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

/** How often a route can be called. */
export interface Ceiling {
  readonly request: string;
  readonly keys: readonly SharedKey[];
  /** The key that limits it. */
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

/**
 * Sends requests to a simulated table in which each partition key has a bucket of tokens: a second's worth, refilled
 * continuously. A request that does not get all of its tokens is refused.
 *
 * @param perSecond how many requests are sent, evenly
 * @param seconds for how long, after the first second, which uses up the full buckets
 * @returns the requests per second that were not refused
 */
export function simulate(keys: readonly SharedKey[], perSecond: number, seconds: number): number {
  const buckets = new Map<string, { read: number; write: number; at: number }>();
  const bucketAt = (name: string, time: number) => {
    const bucket = buckets.get(name) ?? { ...KEY_LIMITS, at: 0 };
    const refilled = (unit: "read" | "write") =>
      Math.min(KEY_LIMITS[unit], bucket[unit] + (time - bucket.at) * KEY_LIMITS[unit]);
    return { read: refilled("read"), write: refilled("write"), at: time };
  };
  let admitted = 0;
  const warmUp = 10;
  for (let i = 0; i < perSecond * (warmUp + seconds); i += 1) {
    const time = i / perSecond;
    const needed = keys.map((key) => {
      const name = `${key.name} ${i % key.partitions}`;
      return { key, name, bucket: bucketAt(name, time) };
    });
    if (needed.some(({ key, bucket }) => bucket.read < key.read || bucket.write < key.write)) continue;
    for (const { key, name, bucket } of needed)
      buckets.set(name, { ...bucket, read: bucket.read - key.read, write: bucket.write - key.write });
    if (time >= warmUp) admitted += 1;
  }
  return admitted / seconds;
}
