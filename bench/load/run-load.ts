import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, messageOf } from "../../cli/errors.ts";
import { progress } from "../../cli/progress.ts";
import { allRoutes } from "../../functions/definitions.ts";
import type { PreparedRequest } from "../../functions/example-requests.ts";
import { adminLogin, bearerHeader, type Headers, tokenNeeds, tokenRoute } from "../../ops/credentials.ts";
import { createHttpClient, type HttpResponse } from "../../ops/http-client.ts";
import { ClientRecords, dependsOnAdmin, type MixEntry, mix, pickEntry } from "./requests.ts";
import { type LoadFigures, type Sample, summarize } from "./summary.ts";

interface LoadOptions {
  readonly url: URL;
  readonly seconds: number;
  readonly connections: number;
  readonly requests: number;
  /** Without it, what needs records of an administrator is left out: existing ones must not be changed. */
  readonly adminPassword: string | undefined;
  readonly stop: AbortSignal;
}

/** How long a client waits after a request without a response, so that a dead service is not flooded. */
const BACKOFF_MS = 200;

/** Creates records, sends the mix, removes records. @throws {CommandError} if they can't be created */
export async function runLoad(options: LoadOptions): Promise<LoadFigures> {
  const { url, connections, adminPassword } = options;
  const client = createHttpClient(url, connections);
  const unique = `_load_${randomUUID().slice(0, 8)}`;
  const needs = await tokenNeeds(client);
  const entries = mix.filter(({ route }) => adminPassword !== undefined || !dependsOnAdmin(route, needs));
  const tokens: { account?: Headers; admin?: Headers } = {};
  /** With the token that its route needs. */
  const withToken = (request: PreparedRequest) => {
    const need = needs(request.route);
    return { ...request, headers: (need && tokens[need]) ?? {} };
  };
  const send = async (request: PreparedRequest, status: number) => {
    const response = await client.send(withToken(request));
    if (response.status === status) return response;
    const { method, target } = request;
    throw new CommandError(`${method} ${target} returned ${response.status}: ${response.text}`);
  };
  const create = async (request: PreparedRequest) => (await send(request, 201)).headers.location;
  const clients = Array.from({ length: connections }, (_, i) => new ClientRecords(`${unique}_${i}`, create));
  try {
    if (adminPassword !== undefined) {
      const adminRequest = adminLogin(adminPassword);
      if (adminRequest === undefined)
        throw new CommandError("No route returns a token for --admin-password.");
      tokens.admin = bearerHeader((await send(adminRequest, 200)).text);
    }
    const left = mix.filter((entry) => !entries.includes(entry)).map(({ route }) => route);
    if (left.length > 0) progress(`Left out without --admin-password: ${left.join(", ")}`);
    const isClosed = allRoutes.some((route) => !route.authorizer && needs(route) === "account");
    const login = isClosed && tokenRoute ? await clients[0]?.request(tokenRoute) : undefined;
    if (login) tokens.account = bearerHeader((await send(login, 200)).text);
    for (const { route } of entries) await clients[0]?.request(route);
    const sendOnly = (request: PreparedRequest) => client.send(withToken(request));
    return summarize(await generateLoad(sendOnly, clients, entries, options), entries);
  } finally {
    await remove(clients, (request) => send(request, 204));
    client.close();
  }
}

/** The clients start one after the other during the first half of the time, so that the load grows evenly. */
async function generateLoad(
  send: (request: PreparedRequest) => Promise<HttpResponse>,
  clients: readonly ClientRecords[],
  entries: readonly MixEntry[],
  { seconds, connections, requests, stop }: LoadOptions,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const limit = new AbortController();
  const isOver = AbortSignal.any([stop, limit.signal, AbortSignal.timeout(1_000 * seconds)]);
  const sleepUnlessOver = (ms: number) => sleep(ms, undefined, { signal: isOver }).catch(() => undefined);
  let count = 0;

  /** Without a response the sample has no status, whatever the reason. */
  const sendNext = async (records: ClientRecords) => {
    const { route = "", status = 0 } = pickEntry(entries) ?? {};
    const request = await records.request(route).catch(() => undefined);
    const sentAt = performance.now();
    const response = request && (await send(request).catch(() => undefined));
    const endedAt = performance.now();
    const isExpected = response?.status === status;
    const milliseconds = endedAt - sentAt;
    samples.push({ route, status: response?.status, isExpected, milliseconds, at: endedAt - startedAt });
    if (isExpected && status === 201) records.created(route, response.headers.location);
    if (isExpected && route.startsWith("DELETE ")) records.deleted(route);
    if (response === undefined) await sleepUnlessOver(BACKOFF_MS);
  };

  const runClient = async (records: ClientRecords, delayMs: number) => {
    await sleepUnlessOver(delayMs);
    while (!isOver.aborted) {
      count += 1;
      if (count === requests) limit.abort();
      await sendNext(records);
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
  await Promise.all(clients.map((records, i) => runClient(records, i * step)));
  clearInterval(counter);
  return samples;
}

/** Reports a failure instead of throwing it: the measurement is valid even if the service is down. */
async function remove(
  clients: readonly ClientRecords[],
  send: (request: PreparedRequest) => Promise<unknown>,
): Promise<void> {
  let removed = 0;
  const removeAll = async ({ deletions }: ClientRecords) => {
    // What was created last may refer to what was created before.
    for (const request of [...deletions.values()].reverse()) {
      await send(request);
      removed += 1;
    }
  };
  try {
    await Promise.all(clients.map(removeAll));
    const remaining = new Set(clients.flatMap((each) => [...each.remaining]));
    const notes = [...remaining].map((creation) => `; what ${creation} created remains`);
    progress(`${removed} records removed${notes.join("")}`);
  } catch (error) {
    progress(`Some records could not be removed: ${messageOf(error)}`);
  }
}
