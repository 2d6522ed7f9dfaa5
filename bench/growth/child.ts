/** Runs the functions' handlers for the requests that the parent sends. Argument: the target, as JSON. */
import type { ApiRequest } from "../../test/support/api/client.ts";
import { inProcess } from "../../test/support/api/in-process.ts";
import "../../test/support/patient-clients.ts";

/** What a request took in this process. */
export interface Measured {
  readonly status: number;
  readonly cpuMs: number;
  /** The highest resident memory that was seen, in megabytes. */
  readonly peakMb: number;
  readonly text: string;
}

/** Each sample takes CPU time that counts as the function's. */
const SAMPLE_MS = 50;

// A busy machine takes longer than Lambda: the page shows CPU time, and the budget of bytes applies.
const send = inProcess({ ...JSON.parse(process.argv[2] ?? ""), remainingMs: 600_000 });

process.on("message", async (request: ApiRequest) => {
  globalThis.gc?.();
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const sampling = setInterval(sample, SAMPLE_MS);
  const before = process.cpuUsage();
  const { status, text } = await send(request);
  const { user, system } = process.cpuUsage(before);
  sample();
  clearInterval(sampling);
  const measured: Measured = {
    status,
    text,
    cpuMs: (user + system) / 1_000,
    peakMb: peak / 1_000_000,
  };
  process.send?.(measured);
});
process.send?.("ready");
