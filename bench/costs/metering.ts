import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { json } from "node:stream/consumers";
import { setImmediate, setTimeout } from "node:timers/promises";
import { startLoopback } from "../../local/loopback.ts";
import { type Usage, unitsOf } from "../../test/support/programs/usage.ts";
import { type KeyUnits, type UnitsByKey, unitsByKey } from "./partition-keys.ts";

/** Usage with writes counted apart from reads, which have another price. */
interface MeteredUsage extends Usage {
  /** The write capacity units among them. */
  readonly writeUnits: number;
  /** The units of each partition key. */
  readonly byKey: UnitsByKey;
  /** Whether a transaction changes or checks an item that other requests may use too: then they cancel each other. */
  readonly transacts: boolean;
}

/** A proxy in front of a DynamoDB that counts calls. */
export interface MeteredDatabase {
  readonly url: string;
  /** Runs some work and returns its usage. Only one at a time. */
  usageOf<T>(work: () => Promise<T>): Promise<MeteredUsage & { readonly result: T }>;
  close(): Promise<void>;
}

/** Tells when the client of a metered database waits for its calls and nothing else. */
interface ClientObserver {
  /** @param calls the number of calls that the client waits for */
  quiet(calls: () => number): Promise<void>;
  close?(): void;
}

const nothing = { calls: 0, inSequence: 0, units: 0, writeUnits: 0, transacts: false };

/** The turns of the event loop that a client has to make further calls when it has received all responses. */
const QUIET_TURNS = 100;
/** The same for a client in another process. */
const QUIET_MS = 50;

/**
 * Starts a metering proxy on loopback. It passes calls on in rounds: when the client has made all that it can, and the
 * responses when the database has answered all of them. So the number of rounds is the number of calls in sequence,
 * however fast the engine is and however busy the machine. And the client never works while the database does, which
 * would lengthen the CPU time of both on shared cores.
 *
 * @param engine the URL of the DynamoDB behind it
 * @param place where the client is: `here`, in this process and with `node:http`; or in another one, whose rounds take
 * 50 ms longer
 */
export async function startMetering(engine: string, place: "here" | "elsewhere"): Promise<MeteredDatabase> {
  let usage = { ...nothing };
  let byKey = new Map<string, KeyUnits>();
  let round = newRound();

  function newRound() {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    return { begun, ended, calls: 0, responses: 0 };
  }

  /** Adds a call to the round. @returns the round when it has begun */
  async function join() {
    const joined = round;
    joined.calls += 1;
    if (joined.calls === 1) void beginWhenQuiet();
    await joined.begun.promise;
    return joined;
  }

  async function beginWhenQuiet(): Promise<void> {
    await client.quiet(() => round.calls);
    const { calls, begun } = round;
    round = newRound();
    usage.inSequence += 1;
    usage.calls += calls;
    begun.resolve();
  }

  function count(operation: string, body: Readonly<Record<string, unknown>>, text: string): void {
    const response = JSON.parse(text);
    const units = unitsOf(response);
    for (const [key, { read, write }] of unitsByKey(operation, body, response)) {
      const before = byKey.get(key) ?? { read: 0, write: 0 };
      byKey.set(key, { read: before.read + read, write: before.write + write });
    }
    usage.units += units;
    const { TransactItems: items = [] } = body as {
      TransactItems?: { Update?: KeyedWrite; ConditionCheck?: KeyedWrite }[];
    };
    if (items.some(({ Update, ConditionCheck }) => Update ?? ConditionCheck)) usage.transacts = true;
    if (/(Put|Update|Delete|Write)(Item|Items)$/.test(operation)) usage.writeUnits += units;
  }

  const server = await startLoopback(async (request, response) => {
    const joining = join();
    const operation = String(request.headers["x-amz-target"]);
    const body = (await json(request)) as Record<string, unknown>;
    const own = await joining;
    const { status, text } = await sendTo(engine, request.headers, body);
    count(operation, body, text);
    own.responses += 1;
    if (own.responses === own.calls) own.ended.resolve();
    await own.ended.promise;
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(text);
  });
  const client = place === "here" ? observeHere(new URL(server.url).host) : observeElsewhere;
  return {
    url: server.url,
    async usageOf(work) {
      usage = { ...nothing };
      byKey = new Map();
      const result = await work();
      // Later calls belong to other work.
      return { ...usage, byKey: new Map(byKey), result };
    },
    async close() {
      client.close?.();
      await server.close();
    },
  };
}

/** Sends a call on, and asks for its consumed capacity. */
async function sendTo(
  engine: string,
  headers: NodeJS.Dict<string | string[]>,
  body: Readonly<Record<string, unknown>>,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(engine, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": String(headers["x-amz-target"]),
      authorization: String(headers.authorization),
      "x-amz-date": String(headers["x-amz-date"]),
    },
    body: JSON.stringify({ ...body, ReturnConsumedCapacity: "INDEXES" }),
  });
  return { status: response.status, text: await response.text() };
}

/**
 * Counts this process's requests to a host that have no complete response yet.
 *
 * @param host with its port
 */
function observeHere(host: string): ClientObserver {
  const pending = new Set<ClientRequest>();
  const onStart = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    if (request.getHeader("host") !== host) return;
    pending.add(request);
    // Emitted after the end of the response, or an error.
    request.once("close", () => pending.delete(request));
  };
  subscribe("http.client.request.start", onStart);
  return {
    async quiet(calls) {
      for (let turns = 0; turns < QUIET_TURNS; turns = calls() === pending.size ? turns + 1 : 0)
        await setImmediate();
    },
    close: () => void unsubscribe("http.client.request.start", onStart),
  };
}

const observeElsewhere: ClientObserver = {
  async quiet(calls) {
    let before: number;
    do {
      before = calls();
      await setTimeout(QUIET_MS);
    } while (calls() > before);
  },
};

interface KeyedWrite {
  readonly Key: { readonly pk: { readonly S: string } };
}
