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

/**
 * Concurrent calls arrive within so many turns of the event loop. It is the client's loop, too, so these turns give a
 * call time to arrive, however busy the machine is.
 */
const QUIET_TURNS = 1_000;

/**
 * Starts a metering proxy on loopback. It responds in rounds: to all calls that have arrived, once no further call
 * arrives. So the number of rounds is the number of calls in sequence, however fast the engine is. The client has to be
 * in this process.
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
    void endWhenQuiet(round.calls);
    return round.ended;
  }

  /** Ends the round unless a further call arrives. */
  async function endWhenQuiet(calls: number): Promise<void> {
    const { end } = round;
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) {
      await setImmediate();
      if (round.calls > calls) return;
    }
    usage.inSequence += 1;
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
  return {
    ...proxy,
    async usageOf(work) {
      usage = { ...nothing };
      byKey = new Map();
      await work();
      // Later calls belong to other work.
      return { ...usage, byKey: new Map(byKey) };
    },
  };
}

function consumed({ ConsumedCapacity: list = [] }: { ConsumedCapacity?: Units | Units[] }): number {
  return [list].flat().reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0);
}

interface Units {
  readonly CapacityUnits?: number;
}
