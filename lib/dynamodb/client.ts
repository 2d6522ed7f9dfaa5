import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { AwsJson1_0Protocol } from "@aws-sdk/core/protocols";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { isUnavailable, requestClientConfig, unavailable } from "../aws.ts";
import type { ApiError } from "../domain/errors.ts";
import { noteDate } from "./clock.ts";
import { tooManyConflicts } from "./contention.ts";

/** The delay between conflicts doubles, up to the maximum. */
const CONFLICT_ATTEMPTS = 8;
const CONFLICT_BASE_DELAY_MS = 10;
const CONFLICT_MAX_DELAY_MS = 400;

const RETRYABLE_REASONS = new Set([
  "None",
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);

/** With `JSON.parse`, in half the time of the SDK's schemas (0.5 to 0.6): no output has times or bytes. */
class PlainJsonProtocol extends AwsJson1_0Protocol {
  protected override deserializer = {
    setSerdeContext() {},
    read: async (_schema: unknown, body: string | Uint8Array) =>
      JSON.parse(
        typeof body === "string"
          ? body
          : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(),
      ),
  };
}

interface ClientOptions {
  readonly config?: DynamoDBClientConfig;
  readonly random?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/** The SDK passes it to each middleware of a call. */
interface CallContext {
  /** Attempts that got no response. They can have taken effect, or still do so. */
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
 * The DynamoDB client of all repositories.
 *
 * - The SDK retries throttling, timeouts and server errors, with three attempts in total.
 * - The client retries conflicts between transactions, which the SDK does not, with full jitter and the same
 *   ClientRequestToken, so that a commit whose response was lost counts as done.
 * - A call that still fails throws ApiError `ServiceUnavailable`; other errors are thrown unchanged.
 */
export function documentClient({ config, random = Math.random, sleep = wait }: ClientOptions = {}) {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...requestClientConfig, protocol: PlainJsonProtocol, sha256: Sha256, ...config }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  // It copies every response for a log that nobody reads.
  client.middlewareStack.remove("loggerMiddleware");
  client.middlewareStack.add(
    (next, context) => async (args) => {
      try {
        return noteDate(await next(args));
      } catch (error) {
        if (!isRefusal(error)) (context as CallContext).unanswered = 1;
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
      return retryConflicts(next, { ...args, input }, context as CallContext, pause);
    },
    { name: "retryConflicts", step: "initialize", priority: "high" },
  );
  return client;
}

/** @param pause waits a random part of a number of milliseconds */
async function retryConflicts<A, T extends { readonly output: { readonly $metadata?: object } }>(
  next: (args: A) => Promise<T>,
  args: A,
  context: CallContext,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await next(args);
      if (context.unanswered) uncertain.add(result.output.$metadata ?? result.output);
      return result;
    } catch (error) {
      if (!isConflict(error) || attempt === CONFLICT_ATTEMPTS) {
        const translated = translate(error);
        throw context.unanswered ? markUncertain(translated) : translated;
      }
    }
    await pause(Math.min(CONFLICT_MAX_DELAY_MS, CONFLICT_BASE_DELAY_MS * 2 ** attempt));
  }
}

/** Whether DynamoDB has answered that it did nothing; a server error does not say so. */
function isRefusal(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500;
}

/** One for each item of the transaction, in order; undefined for any other error. */
export function cancellationCodes(error: unknown): readonly string[] | undefined {
  if (!isErrorNamed(error, "TransactionCanceledException")) return undefined;
  const { CancellationReasons: reasons } = error as { CancellationReasons?: { Code?: string }[] };
  return (reasons ?? []).map((reason) => reason.Code ?? "None");
}

export function isErrorNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

function isConflict(error: unknown): boolean {
  if (isErrorNamed(error, "TransactionConflictException")) return true;
  const codes = cancellationCodes(error);
  return codes !== undefined && codes.length > 0 && codes.every((code) => RETRYABLE_REASONS.has(code));
}

function translate(error: unknown): Error | ApiError {
  if (isConflict(error)) return tooManyConflicts(error);
  if (cancellationCodes(error) === undefined && isUnavailable(error))
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
