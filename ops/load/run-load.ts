import { randomUUID } from "node:crypto";
import * as z from "zod";
import { CommandError } from "../../cli/errors.ts";
import { createHttpClient, type HttpClient, type HttpRequest, type HttpResponse } from "../http-client.ts";
import { generateLoad, type LoadProfile, type Sample } from "./generator.ts";
import { createRequestPicker, firstRecords, mix } from "./mix.ts";
import { RecordPaths } from "./records.ts";
import { type LoadFigures, summarize } from "./summary.ts";

interface LoadOptions extends Omit<LoadProfile, "onCreated"> {
  readonly url: URL;
  /** The password of the account `admin`. Without it, no orders are placed. */
  readonly adminPassword: string | undefined;
  /** Called with each line of progress. */
  readonly progress: (text: string) => void;
}

/** Removing the records may take as long as the load, but at least this long. */
const MIN_REMOVAL_MS = 60_000;

/**
 * Creates records, loads the service with the mix of requests, and removes the records except orders.
 *
 * Only an administrator can create products. Without the password, existing ones are read but never ordered, because an
 * order reduces their stock permanently.
 *
 * @throws {CommandError} if the records can't be created
 */
export async function runLoad(options: LoadOptions): Promise<LoadFigures> {
  const { url, seconds, connections, adminPassword, progress } = options;
  const client = createHttpClient(url, connections);
  const records = new RecordPaths();
  const name = `load_${randomUUID().slice(0, 8)}`;
  let admin: Headers | undefined;
  let foreign: readonly string[] = [];
  try {
    if (adminPassword !== undefined) admin = await logIn(client, adminPassword);
    await createFirstRecords(client, name, admin, records);
    if (admin === undefined) {
      progress("No orders without --admin-password: they would reduce the stock of real products.");
      foreign = await findProducts(client);
      for (const path of foreign) records.add(path);
    }
    const entries = mix.filter(({ needsAdmin }) => admin !== undefined || !needsAdmin);
    const next = createRequestPicker(entries, { name, records });
    const samples: Sample[] = [];
    const counter = reportProgress(samples, progress);
    const profile = { ...options, onCreated: (path: string) => records.add(path) };
    await generateLoad(client, next, profile, samples).finally(() => clearInterval(counter));
    return summarize(samples, entries);
  } finally {
    const created = records.all().filter((path) => !foreign.includes(path) && !path.startsWith("/orders/"));
    await remove(client, created, admin ?? {}, Math.max(MIN_REMOVAL_MS, 1_000 * seconds), progress);
    client.close();
  }
}

type Headers = Readonly<Record<string, string>>;

async function createFirstRecords(
  client: HttpClient,
  name: string,
  admin: Headers | undefined,
  records: RecordPaths,
): Promise<void> {
  const possible = firstRecords.filter(({ needsAdmin }) => admin !== undefined || !needsAdmin);
  for (const { target, count, body } of possible)
    for (let i = 0; i < count; i += 1) {
      const { headers } = await post(client, target, body(name), 201, admin);
      if (headers.location !== undefined) records.add(headers.location);
    }
}

/** Reports every second how many requests have completed. */
function reportProgress(samples: readonly Sample[], progress: LoadOptions["progress"]): NodeJS.Timeout {
  let seconds = 0;
  let before = 0;
  let errors = 0;
  return setInterval(() => {
    const latest = samples.slice(before);
    seconds += 1;
    before = samples.length;
    errors += latest.filter(({ isExpected }) => !isExpected).length;
    progress(`${seconds} s: ${latest.length} requests in this second, ${before} in total, ${errors} errors`);
  }, 1_000);
}

/** Reports a failure instead of throwing it: the measurement is valid even if the service is down by now. */
async function remove(
  client: HttpClient,
  paths: readonly string[],
  headers: Headers,
  timeoutMs: number,
  progress: LoadOptions["progress"],
): Promise<void> {
  const stop = AbortSignal.timeout(timeoutMs);
  const targets = paths.values();
  let removed = 0;
  const removeNext = async () => {
    for (const target of targets) {
      if (stop.aborted) return;
      await send(client, { method: "DELETE", target, headers }, 204);
      removed += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: client.connections }, removeNext));
    progress(`${removed} records removed; orders remain`);
  } catch (error) {
    progress(`Some records could not be removed: ${error instanceof Error ? error.message : error}`);
  }
}

async function logIn(client: HttpClient, password: string): Promise<Headers> {
  const { text } = await post(client, "/auth/login", { username: "admin", password }, 200);
  const { access_token } = z.object({ access_token: z.string() }).parse(JSON.parse(text));
  return { authorization: `Bearer ${access_token}` };
}

async function findProducts(client: HttpClient): Promise<string[]> {
  const { text } = await send(client, { method: "GET", target: "/products?page=1&size=10" }, 200);
  const { items } = z.object({ items: z.array(z.object({ id: z.int() })) }).parse(JSON.parse(text));
  return items.map(({ id }) => `/products/${id}`);
}

function post(
  client: HttpClient,
  target: string,
  value: unknown,
  status: number,
  headers: Headers = {},
): Promise<HttpResponse> {
  const body = JSON.stringify(value);
  const request = {
    method: "POST",
    target,
    headers: { "content-type": "application/json", ...headers },
    body,
  };
  return send(client, request, status);
}

async function send(client: HttpClient, request: HttpRequest, status: number): Promise<HttpResponse> {
  const response = await client.send(request);
  if (response.status === status) return response;
  throw new CommandError(`${request.method} ${request.target} returned ${response.status}: ${response.text}`);
}
