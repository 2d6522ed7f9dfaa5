import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { Usage } from "../programs/usage.ts";
import { startCapacityProxy } from "./capacity-proxy.ts";
import { type KeyUnits, type UnitsByKey, unitsByKey } from "./partition-keys.ts";

/** Usage with writes counted apart from reads, which have another price. */
export interface MeteredUsage extends Usage {
  /** The write capacity units among them. */
  readonly writeUnits: number;
  /** The units of each partition key. */
  readonly byKey: UnitsByKey;
}

/** A proxy in front of a DynamoDB that counts calls. */
export interface MeteredDatabase {
  readonly url: string;
  /** Runs some work and returns its usage. Only one at a time. */
  usageOf(work: () => Promise<unknown>): Promise<MeteredUsage>;
  close(): Promise<void>;
}

const nothing = { calls: 0, inSequence: 0, units: 0, writeUnits: 0 };

/** The turns of the event loop that the client has to make further calls when it has received all responses. */
const QUIET_TURNS = 100;

/**
 * Starts a metering proxy on loopback. It responds in rounds: to all calls that the client has made, once the client
 * waits for nothing else. So the number of rounds is the number of calls in sequence, however fast the engine is and
 * however busy the machine. The client has to be in this process and use `node:http`.
 *
 * @param engine the URL of the DynamoDB behind it
 */
export async function startMetering(engine: string): Promise<MeteredDatabase> {
  let usage = { ...nothing };
  let byKey = new Map<string, KeyUnits>();
  let round = newRound();

  function newRound() {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    return { ended, end, calls: 0 };
  }

  /** @returns when the round ends */
  function join(): Promise<void> {
    round.calls += 1;
    if (round.calls === 1) void endWhenQuiet();
    return round.ended;
  }

  /** Ends the round when the client waits for its calls and nothing else. */
  async function endWhenQuiet(): Promise<void> {
    let quiet = 0;
    while (quiet < QUIET_TURNS) {
      await setImmediate();
      quiet = round.calls === client.pending() ? quiet + 1 : 0;
    }
    usage.inSequence += 1;
    const { end } = round;
    round = newRound();
    end();
  }

  const proxy = await startCapacityProxy(engine, "INDEXES", () => {
    const ended = join();
    return ({ operation, body, text }) => {
      const response = JSON.parse(text);
      usage.calls += 1;
      const units = consumed(response);
      for (const [key, { read, write }] of unitsByKey(operation, body, response)) {
        const before = byKey.get(key) ?? { read: 0, write: 0 };
        byKey.set(key, { read: before.read + read, write: before.write + write });
      }
      usage.units += units;
      if (/(Put|Update|Delete|Write)(Item|Items)$/.test(operation)) usage.writeUnits += units;
      return ended;
    };
  });
  const client = watchClient(new URL(proxy.url).host);
  return {
    url: proxy.url,
    async usageOf(work) {
      usage = { ...nothing };
      byKey = new Map();
      await work();
      // Later calls belong to other work.
      return { ...usage, byKey: new Map(byKey) };
    },
    async close() {
      client.close();
      await proxy.close();
    },
  };
}

/**
 * Counts this process's requests to a host that have no complete response yet.
 *
 * @param host with its port
 */
function watchClient(host: string) {
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
    pending: () => pending.size,
    close: () => void unsubscribe("http.client.request.start", onStart),
  };
}

function consumed({ ConsumedCapacity: list = [] }: { ConsumedCapacity?: Units | Units[] }): number {
  return [list].flat().reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0);
}

interface Units {
  readonly CapacityUnits?: number;
}
