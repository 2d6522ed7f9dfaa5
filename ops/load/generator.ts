import { setTimeout as pause } from "node:timers/promises";
import type { Client, ClientRequest } from "../cli/http-client.ts";
import type { Operation } from "./mix.ts";

/** What became of one request. */
export interface Sample {
  readonly route: string;
  /** The answer's status; undefined when there was none. */
  readonly status: number | undefined;
  readonly isExpected: boolean;
  readonly milliseconds: number;
  /** When it ended, in milliseconds since the load began. */
  readonly at: number;
}

export interface Load {
  readonly seconds: number;
  readonly connections: number;
  /** The most requests that are sent. */
  readonly requests: number;
  /** Ends the load early; what runs is waited for. */
  readonly stop: AbortSignal;
  /** Hears of every request that has ended. */
  readonly onSample?: (sample: Sample) => void;
}

/** A request that takes longer has failed; so the load ends at most so much later than it should. */
const limitMs = 10_000;
/** A connection without an answer waits before it tries again: a service that is gone is not to be hammered. */
const pauseMs = 200;

/**
 * Loads a service with as many clients as there are connections; each sends its next request when the one before
 * has been answered. They begin one after the other through the first half of the time, so that the load grows
 * evenly, and then all of them go on.
 *
 * @param next chooses a request
 * @returns what became of every request, in the order in which they ended
 */
export async function generate(
  client: Client,
  next: () => { operation: Operation; request: ClientRequest },
  { seconds, connections, requests, stop, onSample }: Load,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const started = performance.now();
  const endsAt = started + 1000 * seconds;
  const spent = new AbortController();
  const over = AbortSignal.any([stop, spent.signal]);
  let sent = 0;

  const work = async (begin: number) => {
    await pauseUnlessOver(begin);
    while (performance.now() < endsAt && !over.aborted) {
      sent += 1;
      if (sent === requests) spent.abort();
      const sample = await send();
      samples.push(sample);
      onSample?.(sample);
      if (sample.status === undefined) await pauseUnlessOver(pauseMs);
    }
  };

  const send = async (): Promise<Sample> => {
    const { operation, request } = next();
    const sentAt = performance.now();
    const ended = (status: number | undefined): Sample => ({
      route: operation.route,
      status,
      isExpected: status === operation.status,
      milliseconds: performance.now() - sentAt,
      at: performance.now() - started,
    });
    try {
      const response = await client.send(request, limitMs);
      const sample = ended(response.status);
      if (sample.isExpected) operation.onAnswer?.(response);
      return sample;
    } catch {
      return ended(undefined);
    }
  };

  const pauseUnlessOver = (ms: number) => pause(ms, undefined, { signal: over }).catch(() => undefined);
  const step = (1000 * seconds) / 2 / connections;
  await Promise.all(Array.from({ length: connections }, (_, at) => work(at * step)));
  return samples;
}
