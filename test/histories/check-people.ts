import { isDeepStrictEqual } from "node:util";
import { type AreaHistory, historyOf, isCurrent, writesTo } from "./area-history.ts";
import type { FinalState, History, Registration, StoredRecord } from "./history.ts";

/** A read can be repeated by the service twice, and then count three views. */
const VIEWS_PER_READ = 3;

/** The statistics are those of the list, and every acknowledged read is counted. */
export function* checkPosts(history: History, state: FinalState) {
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

export function* checkAccounts(
  { registrations, erasures }: History,
  { usernames, failedLogins }: FinalState,
) {
  const registered = new Set(usernames);
  if (registered.size !== usernames.length) yield "accounts: the list has an account twice";
  for (const { username, outcome } of erasures)
    if (outcome === "done" && registered.has(username)) yield `accounts: ${username} was erased and is there`;
  yield* checkRegistrations(registrations, registered, new Set(erasures.map(({ username }) => username)));
  for (const username of failedLogins)
    if (!erasures.some((erasure) => erasure.username === username))
      yield `accounts: ${username} cannot log in`;
}

/** A username is registered once; a batch completely or not at all. */
function* checkRegistrations(
  registrations: readonly Registration[],
  registered: ReadonlySet<string>,
  mayBeErased: ReadonlySet<string>,
) {
  const acknowledged = registrations.filter(({ outcome }) => outcome === "done");
  const owners = Map.groupBy(
    acknowledged.flatMap((registration) => registration.usernames),
    (username) => username,
  );
  for (const [username, times] of owners)
    if (times.length > 1) yield `accounts: ${username} was registered ${times.length} times`;
  for (const { usernames, outcome } of registrations) {
    const batch = usernames.filter((username) => !mayBeErased.has(username));
    const present = batch.filter((username) => registered.has(username));
    if (outcome === "done" && present.length < batch.length)
      yield `accounts: only ${present.length} of ${batch.join(", ")} are registered`;
    if (outcome === "unknown" && present.some((name) => !owners.has(name)) && present.length < batch.length)
      yield `accounts: a part of ${batch.join(", ")} is registered`;
  }
}

/** A record has the owner whom it was given last, and its entry alone. */
export function* checkOwners(areaHistory: AreaHistory, { owners, ownerEntries }: FinalState) {
  const { area, created } = areaHistory;
  const entries = Map.groupBy(ownerEntries[area] ?? [], ({ id }) => id);
  for (const { id, owner } of owners[area] ?? []) {
    const named = (entries.get(id) ?? []).map((entry) => entry.owner);
    if (!isDeepStrictEqual(named, owner === undefined ? [] : [owner]))
      yield `${id} belongs to ${owner} and is listed with ${named.join(", ") || "nobody"}`;
    const creation = created.get(id);
    if (creation === undefined) continue;
    const given = [
      { value: undefined, start: creation.start, end: creation.end, isDone: true },
      ...writesTo(areaHistory, id, "owner"),
    ];
    if (!given.some((each) => each.value === owner && isCurrent(each, given, Infinity, Infinity)))
      yield `${id} belongs to ${owner}, who was not the last to get it`;
  }
}

/** Nothing is left that belonged to a person when it was erased. */
export function* checkErasures(
  areaHistory: AreaHistory,
  { erasures }: History,
  { owners, ownerEntries }: FinalState,
) {
  const { area, changes, created, final } = areaHistory;
  const owned = [...(owners[area] ?? []), ...(ownerEntries[area] ?? [])];
  for (const { username, email, users, outcome, start } of erasures) {
    if (outcome !== "done") continue;
    const wasWrittenBefore = (id: number, field: string, value: unknown) =>
      writesTo(areaHistory, id, field).every((each) => each.value !== value || each.end < start);
    const isPersons = (record: StoredRecord) =>
      record.email === email
        ? wasWrittenBefore(record.id, "email", email)
        : users.includes(Number(record.author_id)) &&
          !changes.get(record.id)?.some(({ fields }) => "owner" in fields);
    const left = [
      ...owned.filter(({ id, owner }) => owner === username && wasWrittenBefore(id, "owner", username)),
      ...[...final.values()].filter(
        (record) => (created.get(record.id)?.end ?? Infinity) < start && isPersons(record),
      ),
    ];
    for (const { id } of left) yield `${id} is left of ${username}, who was erased`;
  }
}
