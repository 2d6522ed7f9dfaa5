import { runLocally } from "../local/run.ts";
import { runLoad } from "../ops/load/run-load.ts";
import type { LoadFigures } from "../ops/load/summary.ts";

const adminPassword = "Only for the benchmark 1";

/** Loads a local run with an empty in-memory database. The service and its clients share this machine. */
export async function loadLocally(seconds: number, connections: number): Promise<LoadFigures> {
  const run = await runLocally({
    dataDirectory: "memory",
    secrets: { AdminPassword: adminPassword },
    log: () => undefined,
  });
  try {
    const { signal: stop } = new AbortController();
    const url = new URL(run.url);
    return await runLoad({ url, seconds, connections, requests: 1_000_000, adminPassword, stop });
  } finally {
    await run.close();
  }
}
