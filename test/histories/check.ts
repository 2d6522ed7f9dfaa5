import { isDeepStrictEqual } from "node:util";
import {
  type Change,
  type Creation,
  type Deletion,
  type FinalState,
  type History,
  type Operation,
  type Read,
  type RecordArea,
  recordAreas,
  type StoredRecord,
} from "./history.ts";

/** The field by which a record is recognized if the response to its creation was lost. Its value is unique. */
const identifyingField: Readonly<Record<RecordArea, string>> = {
  todos: "title",
  users: "name",
  products: "name",
  orders: "user_id",
  posts: "title",
  items: "name",
};

/** A read can be repeated by the service twice, and then count three views. */
const VIEWS_PER_READ = 3;

/** A value that a field may have had from `start` on. */
interface Written {
  readonly value: unknown;
  readonly start: number;
  /** Infinite while it is unknown whether and when it was written. */
  readonly end: number;
  readonly isDone: boolean;
}

/** The operations on the records of one area. */
interface AreaHistory {
  readonly area: RecordArea;
  readonly creations: readonly Creation[];
  readonly changes: ReadonlyMap<number, readonly Change[]>;
  readonly deletions: ReadonlyMap<number, readonly Deletion[]>;
  readonly reads: readonly Read[];
  /** Acknowledged creations by id. */
  readonly created: ReadonlyMap<number, Creation>;
  readonly final: ReadonlyMap<number, StoredRecord>;
}

/**
 * Checks that a history has kept all promises: nothing acknowledged is lost, nothing happened twice, no read or final
 * value is older than what was acknowledged before, totals and pages are exact, no product was oversold.
 *
 * An operation without an acknowledgement may have happened at any later time, or never.
 *
 * @returns a line for each violation
 */
export function checkHistory(history: History, state: FinalState): string[] {
  return [
    ...recordAreas.flatMap((area) => {
      const areaHistory = historyOf(area, history, state);
      return [
        ...checkCreations(areaHistory),
        ...checkDeletions(areaHistory),
        ...checkIds(areaHistory, state.repairedIds[area]),
        ...checkValues(areaHistory, history.shopProducts),
        ...checkListings(areaHistory, state),
      ].map((violation) => `${area}: ${violation}`);
    }),
    ...checkOrders(history, state),
    ...checkPosts(history, state),
    ...checkAccounts(history, state),
  ];
}

function historyOf(area: RecordArea, { operations }: History, { listings }: FinalState): AreaHistory {
  const inArea = operations.filter((operation) => operation.area === area);
  const ofKind = <K extends Operation["kind"]>(kind: K) =>
    inArea.filter((operation): operation is Extract<Operation, { kind: K }> => operation.kind === kind);
  const creations = ofKind("creation");
  return {
    area,
    creations,
    changes: Map.groupBy(ofKind("change"), ({ id }) => id),
    deletions: Map.groupBy(ofKind("deletion"), ({ id }) => id),
    reads: ofKind("read"),
    created: acknowledgedCreations(creations),
    final: new Map((listings[area][0]?.records ?? []).map((record) => [record.id, record])),
  };
}

/** From the first attempt, which may have created the record, to the first acknowledgement. */
function acknowledgedCreations(creations: readonly Creation[]): ReadonlyMap<number, Creation> {
  const created = new Map<number, Creation>();
  for (const attempts of Map.groupBy(creations, ({ group }) => group).values()) {
    const start = Math.min(...attempts.map((attempt) => attempt.start));
    for (const attempt of attempts.toSorted((a, b) => b.end - a.end))
      if (attempt.record) created.set(attempt.record.id, { ...attempt, start });
  }
  return created;
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
  const field = identifyingField[area];
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
    const done = attempts.filter(({ outcome }) => outcome === "done").length;
    if (done > 1) yield `${id} was deleted ${done} times`;
    if (done > 0 && final.has(id)) yield `${id} was deleted and is there`;
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

/**
 * The ids are 1, 2, 3, …: each one that names no record was deleted, or belongs to a creation that failed or that lost
 * against the same request sent at the same time.
 */
function* checkIds({ creations, created, deletions, final }: AreaHistory, repaired: number) {
  const failed = creations.filter(({ outcome, isReplay }) => outcome === "unknown" || isReplay).length;
  const last = Math.max(0, ...final.keys(), ...created.keys());
  const wasUsed = (id: number) =>
    final.has(id) || created.has(id) || deletions.get(id)?.some(({ outcome }) => outcome !== "refused");
  const unused = Array.from({ length: last }, (_, i) => i + 1).filter((id) => !wasUsed(id));
  if (unused.length > failed) yield `${unused.length} ids are unused, but only ${failed} creations failed`;
  if (repaired > failed) yield `${repaired} ids had to be repaired, but only ${failed} creations failed`;
}

/** Each field has a value that was written to it, and none that is older than one acknowledged before. */
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

/**
 * A change is refused as well if its record was deleted after an attempt whose response was lost: then others may have
 * read it.
 */
function writesTo(
  { created, changes, deletions }: Pick<AreaHistory, "created" | "changes" | "deletions">,
  id: number,
  field: string,
): Written[] {
  const creation = created.get(id);
  const wasMade = ({ outcome, start, end }: Creation | Change) =>
    outcome !== "refused" ||
    deletions.get(id)?.some((other) => other.outcome !== "refused" && other.start < end && start < other.end);
  return [...(creation ? [creation] : []), ...(changes.get(id) ?? [])]
    .filter((write) => wasMade(write) && Object.hasOwn(write.fields, field))
    .map(({ fields, outcome, start, end }) => {
      const isDone = outcome === "done";
      return { value: fields[field], start, end: isDone ? end : Infinity, isDone };
    });
}

/** Whether a written value may have been the current one at a time from `start` to `end`. */
function isCurrent(write: Written, all: readonly Written[], start: number, end: number): boolean {
  if (write.start >= end) return false;
  return !all.some((other) => other.isDone && other.start > write.end && other.end < start);
}

/** Every list has the same records, and every total is their number. */
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

/**
 * Stock is what was offered less what was ordered, each total is computed from prices of one moment, and a cancelled
 * order stays cancelled.
 */
function* checkOrders(history: History, state: FinalState) {
  const products = historyOf("products", history, state);
  const orders = historyOf("orders", history, state);
  const prices = new Map<number, readonly Written[]>();
  const final = [...orders.final.values()] as unknown as readonly PlacedOrder[];
  for (const id of history.shopProducts) {
    prices.set(id, writesTo(products, id, "price"));
    const stock = Number(products.final.get(id)?.stock);
    const ordered = final
      .flatMap(({ items }) => items)
      .filter(({ product_id }) => product_id === id)
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const offered = Number(products.created.get(id)?.fields.stock);
    if (stock < 0 || stock !== offered - ordered)
      yield `products: ${id} has a stock of ${stock} after ${ordered} of ${offered} were ordered`;
  }
  const placed = new Map(
    orders.creations
      .filter(({ record, isReplay }) => record && !isReplay)
      .map((creation) => [creation.record?.id, creation]),
  );
  for (const { id, items, total } of final) {
    const creation = placed.get(id);
    if (creation && !possibleTotals(items, prices, creation).some((sum) => sum === Math.round(total * 100)))
      yield `orders: ${id} has the total ${total}, for which there were no prices`;
  }
  for (const [id, changes] of orders.changes) {
    const cancelled = Math.min(...changes.filter(isCancellation).map(({ end }) => end));
    if (changes.some(({ outcome, start }) => outcome === "done" && start > cancelled))
      yield `orders: ${id} was changed after it was cancelled`;
  }
}

const isCancellation = ({ fields, outcome }: Change) => outcome === "done" && fields.status === "cancelled";

interface CartLine {
  readonly product_id: number;
  readonly quantity: number;
}

interface PlacedOrder {
  readonly id: number;
  readonly items: readonly CartLine[];
  readonly total: number;
}

/** The totals in cents of all prices that were current together at some time while an order was placed. */
function possibleTotals(
  items: readonly CartLine[],
  prices: ReadonlyMap<number, readonly Written[]>,
  { start, end }: Creation,
): number[] {
  let sums = [{ cents: 0, from: start, to: end }];
  for (const { product_id, quantity } of items) {
    const all = prices.get(product_id) ?? [];
    const current = all.filter((price) => isCurrent(price, all, start, end));
    sums = sums.flatMap(({ cents, from, to }) =>
      current
        .map((price) => ({
          cents: cents + quantity * Math.round(Number(price.value) * 100),
          from: Math.max(from, price.start),
          // A later acknowledged price ends this one.
          to: Math.min(
            to,
            ...all.filter((other) => other.isDone && other.start > price.end).map((other) => other.end),
          ),
        }))
        .filter((sum) => sum.from < sum.to),
    );
  }
  return sums.map(({ cents }) => cents);
}

/** The statistics are those of the list, and every acknowledged read is counted. */
function* checkPosts(history: History, state: FinalState) {
  const { final, reads } = historyOf("posts", history, state);
  const { postStatistics } = state;
  const posts = [...final.values()];
  const views = posts.reduce((sum, post) => sum + Number(post.view_count), 0);
  const byStatus = Object.fromEntries(
    [...Map.groupBy(posts, ({ status }) => String(status))].map(([status, some]) => [status, some.length]),
  );
  const expected = { total_posts: posts.length, by_status: byStatus, total_views: views };
  const { total_posts, by_status, total_views } = postStatistics;
  if (!isDeepStrictEqual({ total_posts, by_status, total_views }, expected))
    yield `posts: the statistics are ${JSON.stringify(postStatistics)} instead of ${JSON.stringify(expected)}`;
  const readsById = Map.groupBy(reads, ({ id }) => id);
  for (const { id, view_count } of posts) {
    const attempts = readsById.get(id)?.filter(({ outcome }) => outcome !== "refused") ?? [];
    const done = attempts.filter(({ outcome }) => outcome === "done").length;
    if (Number(view_count) < done || Number(view_count) > VIEWS_PER_READ * attempts.length)
      yield `posts: ${id} has ${view_count} views after ${done} of ${attempts.length} reads`;
  }
}

/** A username is registered once; a batch completely or not at all. */
function* checkAccounts({ registrations }: History, { usernames, failedLogins }: FinalState) {
  const registered = new Set(usernames);
  if (registered.size !== usernames.length) yield "accounts: the list has an account twice";
  const acknowledged = registrations.filter(({ outcome }) => outcome === "done");
  const owners = Map.groupBy(
    acknowledged.flatMap((registration) => registration.usernames),
    (username) => username,
  );
  for (const [username, times] of owners)
    if (times.length > 1) yield `accounts: ${username} was registered ${times.length} times`;
  for (const { usernames: batch, outcome } of registrations) {
    const present = batch.filter((username) => registered.has(username));
    if (outcome === "done" && present.length < batch.length)
      yield `accounts: only ${present.length} of ${batch.join(", ")} are registered`;
    if (outcome === "unknown" && present.some((name) => !owners.has(name)) && present.length < batch.length)
      yield `accounts: a part of ${batch.join(", ")} is registered`;
  }
  for (const username of failedLogins) yield `accounts: ${username} cannot log in`;
}
