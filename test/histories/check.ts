import { isDeepStrictEqual } from "node:util";
import { type AreaHistory, historyOf, isCurrent, type Written, writesTo } from "./area-history.ts";
import { checkOrders } from "./check-orders.ts";
import { checkAccounts, checkErasures, checkOwners, checkPosts } from "./check-people.ts";
import type { Creation, Deletion, FinalState, History, Read, StoredRecord } from "./history.ts";
import { identifyingField, recordAreas } from "./history.ts";

/**
 * Checks that a history has kept all promises. Unacknowledged operations may have happened at any later time.
 * @returns a line for each violation
 */
export function checkHistory(history: History, state: FinalState): string[] {
  return [
    ...recordAreas.flatMap((area) => {
      const areaHistory = historyOf(area, history, state);
      return [
        ...checkCreations(areaHistory),
        ...checkDeletions(areaHistory),
        ...checkIds(areaHistory, history.lostIds[area], state.repairedIds[area]),
        ...checkValues(areaHistory, history.shopProducts),
        ...checkListings(areaHistory, state),
        ...checkOwners(areaHistory, state),
        ...checkErasures(areaHistory, history, state),
      ].map((violation) => `${area}: ${violation}`);
    }),
    ...checkOrders(history, state),
    ...checkPosts(history, state),
    ...checkAccounts(history, state),
    ...state.leftOver,
  ];
}

/** Each request, or each idempotency key, has created one record if it was acknowledged, and at most one otherwise. */
function* checkCreations(areaHistory: AreaHistory) {
  const { creations, deletions, final } = areaHistory;
  const groups = Map.groupBy(creations, ({ group }) => group);
  const groupsById = new Map<number, string>();
  for (const [group, attempts] of groups) {
    yield* checkResponses(group, attempts);
    const first = attempts.find(({ record }) => record)?.record;
    if (first === undefined) continue;
    const other = groupsById.get(first.id);
    if (other !== undefined) yield `the id ${first.id} was given to ${other} and to ${group}`;
    groupsById.set(first.id, group);
    const mayBeDeleted = deletions.get(first.id)?.some(({ outcome }) => outcome !== "refused");
    if (!final.has(first.id) && !mayBeDeleted) yield `${first.id} was created and is lost`;
  }
  yield* checkOrigins(areaHistory, groups);
}

/** The responses to the attempts of a group have the requested fields, and are the same. */
function* checkResponses(group: string, attempts: readonly Creation[]) {
  for (const { fields, record } of attempts)
    if (record && Object.entries(fields).some(([name, value]) => !isDeepStrictEqual(record[name], value)))
      yield `${group} created ${JSON.stringify(record)} instead of ${JSON.stringify(fields)}`;
  const responses = attempts.flatMap(({ record }) => record ?? []);
  if (responses.some((other) => !isDeepStrictEqual(other, responses[0])))
    yield `${group} got different responses: ${JSON.stringify(responses)}`;
}

/** A record whose creation nobody learned of comes from one request that got no response. */
function* checkOrigins({ area, created, final }: AreaHistory, groups: ReadonlyMap<string, Creation[]>) {
  const field = identifyingField(area);
  const unacknowledged = new Map(
    [...groups]
      .filter(([, attempts]) => attempts.every(({ record }) => record === undefined))
      .filter(([, attempts]) => attempts.some(({ outcome }) => outcome === "unknown"))
      .map(([group, [attempt]]) => [attempt?.fields[field], group]),
  );
  for (const record of final.values()) {
    if (created.has(record.id)) continue;
    const group = unacknowledged.get(record[field]);
    if (group === undefined) yield `${record.id} was created by no request, or twice by one`;
    unacknowledged.delete(record[field]);
  }
}

/** A record is deleted once, and is gone from then on. */
function* checkDeletions({ created, deletions, final, reads }: AreaHistory) {
  for (const [id, attempts] of deletions) {
    const done = attempts.filter(({ outcome }) => outcome === "done");
    const times = done.filter(({ isErasure }) => !isErasure).length;
    if (times > 1) yield `${id} was deleted ${times} times`;
    if (done.length > 0 && final.has(id)) yield `${id} was deleted and is there`;
  }
  const deletedBy = (id: number, time: number) =>
    deletions.get(id)?.some(({ outcome, end }) => outcome === "done" && end < time);
  const mayBeDeletedAt = (id: number, time: number) =>
    deletions.get(id)?.some(({ outcome, start }) => outcome !== "refused" && start < time);
  const existedBefore = (id: number, time: number) => (created.get(id)?.end ?? Infinity) < time;
  const isWronglyRefused = ({ id, outcome, start, end }: Deletion | Read) =>
    outcome === "refused" && existedBefore(id, start) && !mayBeDeletedAt(id, end);
  for (const read of reads) {
    if (read.record && deletedBy(read.id, read.start)) yield `${read.id} was read after it was deleted`;
    if (isWronglyRefused(read)) yield `${read.id} was not found although it existed`;
  }
  for (const deletion of [...deletions.values()].flat())
    if (isWronglyRefused(deletion)) yield `${deletion.id} could not be deleted although it existed`;
}

/** Each id from 1 on that names no record was deleted, was lost, or belongs to a creation that failed or lost. */
function* checkIds({ creations, created, deletions, final }: AreaHistory, lost = 0, repaired = 0) {
  const failed = creations.filter(({ outcome, isReplay }) => outcome === "unknown" || isReplay).length;
  const last = Math.max(0, ...final.keys(), ...created.keys());
  const wasUsed = (id: number) =>
    final.has(id) || created.has(id) || deletions.get(id)?.some(({ outcome }) => outcome !== "refused");
  const unused = Array.from({ length: last }, (_, i) => i + 1).filter((id) => !wasUsed(id)).length;
  const allowed = `but only ${failed} creations failed and ${lost} ids were lost`;
  if (unused > failed + lost) yield `${unused} ids are unused, ${allowed}`;
  if (repaired > failed + lost) yield `${repaired} ids had to be repaired, ${allowed}`;
}

function* checkValues(areaHistory: AreaHistory, shopProducts: readonly number[]) {
  const { area, created, final, reads } = areaHistory;
  // The views of posts and the totals and stock of orders are computed; they are checked apart.
  const isComputed = (id: number, field: string) =>
    ["id", "total", "created_at", "updated_at", "view_count"].includes(field) ||
    (area === "products" && field === "stock" && shopProducts.includes(id));
  const writes = new Map<string, readonly Written[]>();
  const writesOf = (id: number, field: string) => {
    const key = `${id} ${field}`;
    const known = writes.get(key) ?? writesTo(areaHistory, id, field);
    writes.set(key, known);
    return known;
  };
  const check = function* (record: StoredRecord, start: number, end: number, what: string) {
    for (const [field, value] of Object.entries(record)) {
      if (isComputed(record.id, field)) continue;
      const written = writesOf(record.id, field);
      if (
        !written.some((each) => isDeepStrictEqual(each.value, value) && isCurrent(each, written, start, end))
      )
        yield `${record.id} ${what} ${field} ${JSON.stringify(value)}, which is old or was never written`;
    }
  };
  for (const record of final.values())
    if (created.has(record.id)) yield* check(record, Infinity, Infinity, "has the");
  for (const { record, start, end } of reads)
    if (record && created.has(record.id)) yield* check(record, start, end, "was read with the");
}

function* checkListings({ area, final }: AreaHistory, { listings }: FinalState) {
  for (const { name, records, total = records.length, fields } of listings[area]) {
    if (total !== records.length) yield `${name} has ${records.length} records and says ${total}`;
    const ids = new Set(records.map(({ id }) => id));
    if (ids.size !== records.length) yield `${name} has a record twice`;
    const missing = [...final.keys()].filter((id) => !ids.has(id));
    if (missing.length > 0) yield `${name} lacks ${missing.join(", ")}`;
    for (const record of records)
      if (!isDeepStrictEqual(record, withFields(final.get(record.id), fields)))
        yield `${name} has another ${record.id}`;
  }
}

/** @param fields those that a list has; all by default */
function withFields(record: StoredRecord | undefined, fields: readonly string[] | undefined): unknown {
  return record && fields ? Object.fromEntries(fields.map((field) => [field, record[field]])) : record;
}
