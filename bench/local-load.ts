import { runLocally } from "../local/run.ts";
import { type LoadResult, runLoad } from "../ops/load/run-load.ts";

const adminPassword = "Of the measurement 1";

/**
 * Loads a run of the service on this machine, with an empty database in memory. Both share the machine, the
 * service and what loads it.
 *
 * @param say hears what is being done
 */
export async function loadLocally(
  seconds: number,
  connections: number,
  say: (text: string) => void,
): Promise<LoadResult> {
  const run = await runLocally({
    dataDirectory: "memory",
    secrets: { AdminPassword: adminPassword },
    log: () => undefined,
  });
  try {
    const { signal: stop } = new AbortController();
    const url = new URL(run.url);
    return await runLoad({ url, seconds, connections, requests: 1_000_000, adminPassword, stop, say });
  } finally {
    await run.close();
  }
}
