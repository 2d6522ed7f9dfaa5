import { startCapacityProxy } from "../../test/support/database/capacity-proxy.ts";
import type { Usage } from "../../test/support/programs/usage.ts";

/** A proxy in front of a DynamoDB that counts calls, for a client in another process. */
export interface MeteringProxy {
  readonly url: string;
  usageOf<T>(work: () => Promise<T>): Promise<Usage & { readonly result: T }>;
  close(): Promise<void>;
}

/** @param engine the URL of the DynamoDB behind it */
export async function startMeteringProxy(engine: string): Promise<MeteringProxy> {
  let usage = { calls: 0, inSequence: 0, units: 0 };
  /** The longest chain of calls that have ended. */
  let ended = 0;
  const proxy = await startCapacityProxy(engine, "TOTAL", () => {
    const inSequence = ended + 1;
    return ({ text }) => {
      usage.calls += 1;
      usage.inSequence = Math.max(usage.inSequence, inSequence);
      ended = Math.max(ended, inSequence);
      for (const [, units] of text.matchAll(/"CapacityUnits":([\d.]+)/g)) usage.units += Number(units);
    };
  });
  return {
    ...proxy,
    async usageOf(work) {
      usage = { calls: 0, inSequence: 0, units: 0 };
      ended = 0;
      const result = await work();
      return { ...usage, result };
    },
  };
}
