import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../cli/errors.ts";
import { deletionOf, type PreparedRequest } from "../../functions/example-requests.ts";
import { adminLogin, bearerHeader, type Headers } from "../credentials.ts";
import { createHttpClient, type HttpClient, type HttpResponse, jsonRequest } from "../http-client.ts";
import { createRequestPicker, dependsOnAdmin, firstCreations, loadRequest, mix } from "./mix.ts";
import { LoadRecords } from "./records.ts";
import { type LoadFigures, type Sample, summarize } from "./summary.ts";

interface LoadOptions {
  readonly url: URL;
  readonly seconds: number;
  readonly connections: number;
  /** The maximum number of requests. */
  readonly requests: number;
  /** The password of the account `admin`. Without it, what needs records of an administrator is left out. */
  readonly adminPassword: string | undefined;
  /** Ends the load early, after the running requests. */
  readonly stop: AbortSignal;
  /** Called with each line of progress. */
  readonly progress: (text: string) => void;
}

/** How long a connection waits after a request without a response, so that a service that is down is not flooded. */
const BACKOFF_MS = 200;
/** Removing the records may take as long as the load, but at least this long. */
const MIN_REMOVAL_MS = 60_000;

/**
 * Creates records, loads the service with the mix of requests, and removes those records that a route deletes.
 *
 * Without the password, requests about records that only an administrator can create are left out: existing ones must
 * not be changed.
 *
 * @throws {CommandError} if the records can't be created
 */
export async function runLoad(options: LoadOptions): Promise<LoadFigures> {
  const { url, connections, adminPassword, progress } = options;
  const client = createHttpClient(url, connections);
  const records = new LoadRecords();
  const unique = `_load_${randomUUID().slice(0, 8)}`;
  const entries = mix.filter(({ route }) => adminPassword !== undefined || !dependsOnAdmin(route));
  let admin: Headers = {};
  try {
    if (adminPassword !== undefined) {
      const login = adminLogin(adminPassword);
      if (login === undefined) throw new CommandError("No route returns a token for --admin-password.");
      admin = bearerHeader((await send(client, login, 200, {})).text);
    }
    const left = mix.filter((entry) => !entries.includes(entry)).map(({ route }) => route);
    if (left.length > 0) progress(`Left out without --admin-password: ${left.join(", ")}`);
    for (const creation of firstCreations(entries)) {
      const ids = records.pick(creation) ?? new Map();
      const { headers } = await send(client, loadRequest(creation, ids, unique), 201, admin);
      records.add(creation, ids, headers.location);
    }
    const next = createRequestPicker(entries, records, unique);
    return summarize(await generateLoad(client, next, records, options), entries);
  } finally {
    await remove(client, records, admin, options);
    client.close();
  }
}

/**
 * Loads a service with one client per connection. Each client sends its next request when the previous one has been
 * answered. The clients start one after the other during the first half of the time, so that the load grows evenly.
 */
async function generateLoad(
  client: HttpClient,
  next: ReturnType<typeof createRequestPicker>,
  records: LoadRecords,
  { seconds, connections, requests, stop, progress }: LoadOptions,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const limit = new AbortController();
  const isOver = AbortSignal.any([stop, limit.signal, AbortSignal.timeout(1_000 * seconds)]);
  const sleepUnlessOver = (ms: number) => sleep(ms, undefined, { signal: isOver }).catch(() => undefined);
  let count = 0;

  const runClient = async (delayMs: number) => {
    await sleepUnlessOver(delayMs);
    while (!isOver.aborted) {
      count += 1;
      if (count === requests) limit.abort();
      const sent = next();
      const sentAt = performance.now();
      // Without a response the sample has no status, whatever the reason.
      const response = await client.send(jsonRequest(sent.request)).catch(() => undefined);
      const endedAt = performance.now();
      const { route, status } = sent;
      const isExpected = response?.status === status;
      samples.push({
        route,
        status: response?.status,
        isExpected,
        milliseconds: endedAt - sentAt,
        at: endedAt - startedAt,
      });
      const location = isExpected && status === 201 ? response?.headers.location : undefined;
      if (location !== undefined) records.add(route, sent.ids, location);
      if (response === undefined) await sleepUnlessOver(BACKOFF_MS);
    }
  };

  let [second, before] = [0, 0];
  const counter = setInterval(() => {
    const { length } = samples;
    const errors = samples.filter(({ isExpected }) => !isExpected).length;
    second += 1;
    progress(`${second} s: ${length - before} requests in this second, ${length} in total, ${errors} errors`);
    before = length;
  }, 1_000);
  const step = (1_000 * seconds) / 2 / connections;
  await Promise.all(Array.from({ length: connections }, (_, i) => runClient(i * step)));
  clearInterval(counter);
  return samples;
}

/** Reports a failure instead of throwing it: the measurement is valid even if the service is down by now. */
async function remove(
  client: HttpClient,
  records: LoadRecords,
  admin: Headers,
  { seconds, connections, progress }: LoadOptions,
): Promise<void> {
  const stop = AbortSignal.timeout(Math.max(MIN_REMOVAL_MS, 1_000 * seconds));
  const remaining: string[] = [];
  let removed = 0;
  try {
    for (const [creation, created] of records.all()) {
      const deletion = deletionOf(creation);
      if (deletion === undefined) {
        remaining.push(`; what ${creation} created remains`);
        continue;
      }
      const targets = created.values();
      const removeNext = async () => {
        for (const ids of targets) {
          if (stop.aborted) return;
          await send(client, loadRequest(deletion, ids, ""), 204, admin);
          removed += 1;
        }
      };
      await Promise.all(Array.from({ length: connections }, removeNext));
    }
    progress(`${removed} records removed${remaining.join("")}`);
  } catch (error) {
    progress(`Some records could not be removed: ${error instanceof Error ? error.message : error}`);
  }
}

async function send(
  client: HttpClient,
  request: PreparedRequest,
  status: number,
  credentials: Headers,
): Promise<HttpResponse> {
  const headers = request.route.authorizer ? credentials : {};
  const response = await client.send(jsonRequest({ ...request, headers }));
  if (response.status === status) return response;
  throw new CommandError(`${request.method} ${request.target} returned ${response.status}: ${response.text}`);
}
