import type { ClientRequest } from "node:http";
import { Agent, type RequestOptions } from "node:https";
import type { Duplex } from "node:stream";
import { isThrottlingError, isTransientError } from "@smithy/core/retry";
import { ApiError } from "./domain/errors.ts";

/** DynamoDB closes a connection that has been idle for about a minute. */
const MAX_IDLE_MS = 30_000;

/**
 * Keeps connections for further calls, and closes those that may be dead, which a frozen function does not notice:
 * after a long time without use, and after another call failed.
 */
class KeepAliveAgent extends Agent {
  readonly #idleSince = new WeakMap<Duplex, number>();

  override keepSocketAlive(socket: Duplex): boolean {
    this.#idleSince.set(socket, Date.now());
    // The types of Node lack the result, which says whether to keep it.
    return super.keepSocketAlive(socket) as unknown as boolean;
  }

  /** Node calls it before it chooses a connection. */
  override getName(options?: RequestOptions): string {
    this.#closeIdleSince(Date.now() - MAX_IDLE_MS);
    return super.getName(options);
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    const reusedAt = Date.now();
    request.once("error", () => this.#closeIdleSince(reusedAt));
    super.reuseSocket(socket, request);
  }

  #closeIdleSince(time: number): void {
    for (const socket of Object.values(this.freeSockets).flat())
      if ((this.#idleSince.get(socket as Duplex) as number) <= time) socket?.destroy();
  }
}

/**
 * Three attempts take less than half of a function's 20 s, so that a request with two calls still responds with 503.
 * `socketTimeout` ends a stalled response; it is longer, because a busy process lets responses wait.
 */
export const requestClientConfig = {
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 2_000,
    throwOnRequestTimeout: true,
    socketTimeout: 5_000,
    httpsAgent: new KeepAliveAgent({ keepAlive: true, maxSockets: 50 }),
  },
} as const;

/** For the operators' commands, which may run far from the region and have more time. */
export const operatorClientConfig = {
  maxAttempts: 5,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
} as const;

/** For clients of an address that is given: the SDK refuses one where the environment asks for AWS's special ones. */
export const localEndpointConfig = { useFipsEndpoint: false, useDualstackEndpoint: false } as const;

type SdkError = Parameters<typeof isTransientError>[0];

/** What DynamoDB refuses because of other requests, and calls that this process has ended. */
const OWN_UNAVAILABLE_ERRORS = /^(Transaction(Conflict|Canceled)Exception|AbortError)$/;

/** Whether a call of the SDK failed because the service was unreachable, throttled or broken, as the SDK says. */
export function isUnavailable(error: unknown): error is Error {
  return (
    error instanceof Error &&
    (isTransientError(error as SdkError) ||
      isThrottlingError(error as SdkError) ||
      OWN_UNAVAILABLE_ERRORS.test(error.name))
  );
}

export function isThrottled(error: unknown): boolean {
  return error instanceof Error && isThrottlingError(error as SdkError);
}

/** @param what the service as shown to clients, for example `The database` @param cause only logged */
export function unavailable(what: string, cause?: Error): ApiError {
  return new ApiError("ServiceUnavailable", `${what} is unavailable right now; try again`, {
    cause,
    retryAfterSeconds: 1,
  });
}
