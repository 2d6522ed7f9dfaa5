import { fork } from "node:child_process";
import { once } from "node:events";
import type { Overheads } from "./requests/child.ts";

/** What a request costs in this code alone, with and without its log line and metrics. */
export interface RequestOverheads {
  readonly quiet: Overheads;
  readonly logging: Overheads;
}

const quiet = { POWERTOOLS_LOG_LEVEL: "SILENT", POWERTOOLS_METRICS_DISABLED: "true" };
const logging = { POWERTOOLS_LOG_LEVEL: "INFO", POWERTOOLS_METRICS_NAMESPACE: "bench" };

/**
 * Measures dispatch, decoding, validation and encoding of requests, with repositories that answer at once. What is
 * logged goes to /dev/null.
 *
 * @param rounds how often each kind of request is measured
 * @param perRound how many requests are one measurement
 * @returns microseconds per request in each round; the first case is the one to compare with
 */
export async function measureRequests(rounds: number, perRound: number): Promise<RequestOverheads> {
  return {
    quiet: await inProcessWith(quiet, rounds, perRound),
    logging: await inProcessWith(logging, rounds, perRound),
  };
}

async function inProcessWith(
  environment: Readonly<Record<string, string>>,
  rounds: number,
  perRound: number,
): Promise<Overheads> {
  const child = fork(new URL("./requests/child.ts", import.meta.url), [String(rounds), String(perRound)], {
    env: { ...environment, POWERTOOLS_SERVICE_NAME: "bench", AWS_LAMBDA_FUNCTION_NAME: "bench" },
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "close");
  const found = await Promise.race([once(child, "message"), ended.then(() => undefined)]);
  await ended;
  if (found === undefined) throw new Error("The process that measures requests ended by itself");
  const [overheads] = found as [Overheads];
  return overheads;
}
