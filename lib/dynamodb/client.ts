import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  type CancellationReason,
  DynamoDBClient,
  type DynamoDBClientConfig,
  type TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { isUnavailable, requestClientConfig, unavailable } from "../aws.ts";
import type { ApiError } from "../domain/errors.ts";
import { tooManyConflicts } from "./contention.ts";
import { noProtocol, usePlainJson } from "./plain-json.ts";

/**
 * The delay between conflicts doubles, up to the maximum. A plain write only needs a moment between two transactions.
 */
const CONFLICTS = {
  transaction: { attempts: 14, maxDelayMs: 120 },
  plain: { attempts: 400, maxDelayMs: 15 },
};
const CONFLICT_BASE_DELAY_MS = 10;

const RETRYABLE_REASONS = new Set([
  "None",
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);

/** For a log that nobody reads, statistics of the SDK, and loops through queues. */
const unneededMiddleware = ["loggerMiddleware", "getUserAgentMiddleware", "recursionDetectionMiddleware"];

interface ClientOptions {
  readonly config?: DynamoDBClientConfig;
  readonly random?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

interface CallContext {
  /** Attempts at a write that got no response. They can have taken effect, or still do so. */
  unanswered?: number;
}

const uncertain = new WeakSet<object>();

/** Whether an attempt may have taken effect unnoticed. @param result output or error of the call */
export function isUncertain(result: unknown): boolean {
  const { $metadata } = result as { $metadata?: object };
  return uncertain.has(result as object) || ($metadata !== undefined && uncertain.has($metadata));
}

/** Marks whether it is unknown if the work was done. @see isUncertain */
export function markUncertain<T extends object>(error: T, isUnknown = true): T {
  if (isUnknown) uncertain.add(error);
  else uncertain.delete(error);
  return error;
}

/**
 * The client of all repositories. The SDK retries throttling, timeouts and server errors, this client conflicts
 * between transactions, with the same token. A call that still fails throws ApiError `ServiceUnavailable`.
 */
export function documentClient({ config, random = Math.random, sleep = wait }: ClientOptions = {}) {
  const own = { protocol: noProtocol, sha256: Sha256 };
  const client = new DynamoDBClient({ ...requestClientConfig, ...own, ...config });
  usePlainJson(client);
  for (const name of unneededMiddleware) client.middlewareStack.remove(name);
  const createSigner = client.config.signer;
  let signer: ReturnType<typeof createSigner> | undefined;
  client.config.signer = (scheme) => {
    signer ??= createSigner(scheme);
    return signer;
  };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        const isWrite = !/Get|Query|Scan/.test(context.commandName ?? "");
        if (isWrite && !isRefusal(error)) (context as CallContext).unanswered = 1;
        throw error;
      }
    },
    // Within the SDK's retries.
    { name: "observeAttempts", step: "finalizeRequest", priority: "low" },
  );
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const isTransaction = context.commandName === "TransactWriteItemsCommand";
      const input = isTransaction ? { ClientRequestToken: crypto.randomUUID(), ...args.input } : args.input;
      const pause = (delay: number) => sleep(random() * delay);
      const limits = CONFLICTS[isTransaction ? "transaction" : "plain"];
      return retryConflicts(next, { ...args, input }, context as CallContext, limits, pause);
    },
    { name: "retryConflicts", step: "initialize", priority: "high" },
  );
  return client;
}

async function retryConflicts<A, T extends { readonly output: { readonly $metadata?: object } }>(
  next: (args: A) => Promise<T>,
  args: A,
  context: CallContext,
  { attempts, maxDelayMs }: typeof CONFLICTS.plain,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await next(args);
      if (context.unanswered) uncertain.add(result.output.$metadata ?? result.output);
      return result;
    } catch (error) {
      if (!isConflict(error) || attempt === attempts)
        throw markUncertain(translate(error), context.unanswered !== undefined);
    }
    await pause(Math.min(maxDelayMs, CONFLICT_BASE_DELAY_MS * 2 ** attempt));
  }
}

/** Whether DynamoDB has answered that it did nothing; a server error does not say so. */
function isRefusal(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500;
}

/** One for each item of the transaction, in order; undefined for any other error. */
export function cancellationReasons(error: unknown): readonly CancellationReason[] | undefined {
  if (!isErrorNamed(error, "TransactionCanceledException")) return undefined;
  return (error as TransactionCanceledException).CancellationReasons ?? [];
}

export function isErrorNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

function isConflict(error: unknown): boolean {
  if (isErrorNamed(error, "TransactionConflictException")) return true;
  const reasons = cancellationReasons(error) ?? [];
  return reasons.length > 0 && reasons.every(({ Code = "None" }) => RETRYABLE_REASONS.has(Code));
}

function translate(error: unknown): Error | ApiError {
  if (isConflict(error)) return tooManyConflicts(error);
  if (cancellationReasons(error) === undefined && isUnavailable(error))
    return unavailable("The database", error);
  return error as Error;
}

function hashOrHmac(secret?: string | ArrayBuffer | ArrayBufferView): Hash | Hmac {
  if (secret === undefined) return createHash("sha256");
  // With bytes, as the SDK passes them, `createHmac` of Node 24 throws and catches: 4 times as slow.
  return createHmac("sha256", typeof secret === "object" ? createSecretKey(secret as Uint8Array) : secret);
}

/** Node's own SHA-256, which the SDK creates with `new`. */
export const Sha256 = hashOrHmac as unknown as NonNullable<DynamoDBClientConfig["sha256"]>;
