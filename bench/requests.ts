import { messageOfChild } from "./child-processes.ts";
import type { Overheads } from "./requests/child.ts";

/** The overhead of a request, with and without its log line and metrics. */
export interface RequestOverheads {
  readonly quiet: Overheads;
  readonly logging: Overheads;
}

const quiet = { AWS_LAMBDA_LOG_LEVEL: "FATAL" };
const logging = { METRICS_NAMESPACE: "bench" };

/** Measures routing, decoding, validation and encoding, with repositories that return immediately. */
export async function measureRequests(rounds: number, perRound: number): Promise<RequestOverheads> {
  const measure = (environment: Readonly<Record<string, string>>) =>
    messageOfChild<Overheads>(
      new URL("./requests/child.ts", import.meta.url),
      [String(rounds), String(perRound)],
      { ...environment, SERVICE_NAME: "bench", AWS_LAMBDA_FUNCTION_NAME: "bench" },
    );
  return { quiet: await measure(quiet), logging: await measure(logging) };
}
