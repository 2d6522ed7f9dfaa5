import { startCapacityProxy } from "../../test/support/database/capacity-proxy.ts";
import type { Usage } from "../../test/support/programs/usage.ts";

/** A proxy in front of a DynamoDB that counts calls, for a client in another process. */
export interface MeteringProxy {
  readonly url: string;
  usageOf<T>(work: () => Promise<T>): Promise<Usage & { readonly result: T }>;
  close(): Promise<void>;
}

/** The client works on responses for as long as it makes further calls within this time. */
const QUIET_MS = 50;

/**
 * Starts a metering proxy on loopback. It passes calls on in rounds: when the client has made all that it can, and the
 * responses when the database has answered all of them. So the client and the database, which share the machine's
 * cores here, never work at the same time, which would lengthen the CPU time of both.
 *
 * @param engine the URL of the DynamoDB behind it
 */
export async function startMeteringProxy(engine: string): Promise<MeteringProxy> {
  let usage = { calls: 0, inSequence: 0, units: 0 };
  let round = newRound();

  function newRound() {
    return {
      calls: 0,
      responses: 0,
      quiet: undefined as NodeJS.Timeout | undefined,
      begun: Promise.withResolvers<void>(),
      ended: Promise.withResolvers<void>(),
    };
  }

  const proxy = await startCapacityProxy(engine, "TOTAL", async () => {
    const own = round;
    own.calls += 1;
    clearTimeout(own.quiet);
    own.quiet = setTimeout(() => {
      round = newRound();
      usage.inSequence += 1;
      own.begun.resolve();
    }, QUIET_MS);
    await own.begun.promise;
    return ({ text }) => {
      usage.calls += 1;
      for (const [, units] of text.matchAll(/"CapacityUnits":([\d.]+)/g)) usage.units += Number(units);
      own.responses += 1;
      if (own.responses === own.calls) own.ended.resolve();
      return own.ended.promise;
    };
  });
  return {
    ...proxy,
    async usageOf(work) {
      usage = { calls: 0, inSequence: 0, units: 0 };
      const result = await work();
      return { ...usage, result };
    },
  };
}
