import { setTimeout as sleep } from "node:timers/promises";
import { type HttpClient, jsonRequest } from "../http-client.ts";
import type { MixRequest } from "./mix.ts";

/** The outcome of one request. */
export interface Sample {
  readonly route: string;
  /** The response's status; undefined without a response. */
  readonly status: number | undefined;
  readonly isExpected: boolean;
  /** Response time. */
  readonly milliseconds: number;
  /** End of the request, in milliseconds since the start of the load. */
  readonly at: number;
}

export interface LoadProfile {
  readonly seconds: number;
  readonly connections: number;
  /** The maximum number of requests. */
  readonly requests: number;
  /** Ends the load early, after the running requests. */
  readonly stop: AbortSignal;
  /** Called with the `Location` of each record that was created. */
  onCreated(sent: MixRequest, location: string): void;
}

/** How long a connection waits after a request without a response, so that a service that is down is not flooded. */
const BACKOFF_MS = 200;

/**
 * Loads a service with one client per connection. Each client sends its next request when the previous one has been
 * answered. The clients start one after the other during the first half of the time, so that the load grows evenly.
 *
 * @param next picks a request
 * @param samples receives the outcome of each request when it ends
 */
export async function generateLoad(
  client: HttpClient,
  next: () => MixRequest,
  { seconds, connections, requests, stop, onCreated }: LoadProfile,
  samples: Sample[],
): Promise<void> {
  const startedAt = performance.now();
  const endsAt = startedAt + 1000 * seconds;
  const requestLimit = new AbortController();
  const isOver = AbortSignal.any([stop, requestLimit.signal]);
  let count = 0;

  const runClient = async (delayMs: number) => {
    await sleepUnlessOver(delayMs);
    while (performance.now() < endsAt && !isOver.aborted) {
      count += 1;
      if (count === requests) requestLimit.abort();
      const status = await send();
      if (status === undefined) await sleepUnlessOver(BACKOFF_MS);
    }
  };

  const send = async (): Promise<number | undefined> => {
    const sent = next();
    const sentAt = performance.now();
    // Without a response the sample has no status, whatever the reason.
    const response = await client.send(jsonRequest(sent.request)).catch(() => undefined);
    const endedAt = performance.now();
    const isExpected = response?.status === sent.status;
    samples.push({
      route: sent.route,
      status: response?.status,
      isExpected,
      milliseconds: endedAt - sentAt,
      at: endedAt - startedAt,
    });
    const created = isExpected && sent.status === 201 ? response?.headers.location : undefined;
    if (created !== undefined) onCreated(sent, created);
    return response?.status;
  };

  const sleepUnlessOver = (ms: number) => sleep(ms, undefined, { signal: isOver }).catch(() => undefined);
  const step = (1000 * seconds) / 2 / connections;
  await Promise.all(Array.from({ length: connections }, (_, i) => runClient(i * step)));
}
