import { randomUUID } from "node:crypto";
import { CommandError } from "../../cli/errors.ts";
import { deletionOf, type PreparedRequest } from "../../functions/example-requests.ts";
import { adminLogin, bearerHeader, type Headers } from "../credentials.ts";
import { createHttpClient, type HttpClient, type HttpResponse, jsonRequest } from "../http-client.ts";
import { generateLoad, type LoadProfile, type Sample } from "./generator.ts";
import { createRequestPicker, dependsOnAdmin, firstCreations, loadRequest, mix } from "./mix.ts";
import { LoadRecords } from "./records.ts";
import { type LoadFigures, summarize } from "./summary.ts";

interface LoadOptions extends Omit<LoadProfile, "onCreated"> {
  readonly url: URL;
  /** The password of the account `admin`. Without it, what needs records of an administrator is left out. */
  readonly adminPassword: string | undefined;
  /** Called with each line of progress. */
  readonly progress: (text: string) => void;
}

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
  const { url, seconds, connections, adminPassword, progress } = options;
  const client = createHttpClient(url, connections);
  const records = new LoadRecords();
  const unique = `_load_${randomUUID().slice(0, 8)}`;
  const entries = mix.filter(({ route }) => adminPassword !== undefined || !dependsOnAdmin(route));
  let admin: Headers = {};
  try {
    if (adminPassword !== undefined) admin = await logIn(client, adminPassword);
    const left = mix.filter((entry) => !entries.includes(entry)).map(({ route }) => route);
    if (left.length > 0) progress(`Left out without --admin-password: ${left.join(", ")}`);
    for (const creation of firstCreations(entries)) {
      const ids = records.pick(creation) ?? new Map();
      const { headers } = await send(client, loadRequest(creation, ids, unique), 201, admin);
      records.add(creation, ids, headers.location);
    }
    const next = createRequestPicker(entries, records, unique);
    const samples: Sample[] = [];
    const counter = reportProgress(samples, progress);
    const onCreated: LoadProfile["onCreated"] = ({ route, ids }, location) =>
      records.add(route, ids, location);
    const profile = { ...options, onCreated };
    await generateLoad(client, next, profile, samples).finally(() => clearInterval(counter));
    return summarize(samples, entries);
  } finally {
    await remove(client, records, admin, Math.max(MIN_REMOVAL_MS, 1_000 * seconds), progress);
    client.close();
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
  records: LoadRecords,
  admin: Headers,
  timeoutMs: number,
  progress: LoadOptions["progress"],
): Promise<void> {
  const stop = AbortSignal.timeout(timeoutMs);
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
      await Promise.all(Array.from({ length: client.connections }, removeNext));
    }
    progress(`${removed} records removed${remaining.join("")}`);
  } catch (error) {
    progress(`Some records could not be removed: ${error instanceof Error ? error.message : error}`);
  }
}

async function logIn(client: HttpClient, password: string): Promise<Headers> {
  const request = adminLogin(password);
  if (request === undefined) throw new CommandError("No route returns a token for --admin-password.");
  return bearerHeader((await send(client, request, 200, {})).text);
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
