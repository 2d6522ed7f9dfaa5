import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { AwsJson1_0Protocol } from "@aws-sdk/core/protocols";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { isUnavailable, requestClientConfig, unavailable } from "../../aws.ts";
import { tooManyConflicts } from "../records/contention.ts";

/** Attempts at one call that conflicts with another transaction. The delay doubles, up to the maximum. */
const CONFLICT_ATTEMPTS = 8;
const CONFLICT_BASE_DELAY_MS = 10;
const CONFLICT_MAX_DELAY_MS = 400;

/** A transaction that was cancelled for these reasons alone may be retried. */
const RETRYABLE_REASONS = new Set([
  "None",
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);

/**
 * Returns responses as `JSON.parse` does, which have the shape of the SDK's outputs already: no call of the repositories
 * returns times, and the tables have no binary values. The SDK looks at each value by its schema, which takes longer.
 */
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

/** An output or an error of the SDK. */
interface MetadataBearer {
  readonly $metadata?: { attempts?: number };
}

interface ClientOptions {
  /** Overrides of the SDK's configuration: endpoint, credentials, request handler. */
  readonly config?: DynamoDBClientConfig;
  /** A number from 0 up to 1; `Math.random` by default. */
  readonly random?: () => number;
  /** Waits a number of milliseconds. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/**
 * The DynamoDB client of all repositories, with the retry policy in one place:
 *
 * - The SDK retries throttling, timeouts, server errors and a transaction whose earlier attempt is still in
 *   progress, with three attempts in total. The timeouts are those of `requestClientConfig`.
 * - The SDK never retries a conflict between transactions
 *   (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html). The client does, with
 *   full jitter and the same ClientRequestToken each time, so that a commit whose response was lost counts as done.
 * - A call that stays throttled, in conflict or without a response fails with ApiError `ServiceUnavailable`, with
 *   the SDK's error as its cause: whatever calls DynamoDB can throw it. Failed conditions and other errors are thrown
 *   unchanged.
 */
export function documentClient({ config, random = Math.random, sleep = wait }: ClientOptions = {}) {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...requestClientConfig, protocol: PlainJsonProtocol, sha256: Sha256, ...config }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  // It copies every response for a log that nobody reads, which takes longer than decoding it.
  client.middlewareStack.remove("loggerMiddleware");
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const input =
          commandName === "TransactWriteItemsCommand"
            ? { ClientRequestToken: crypto.randomUUID(), ...args.input }
            : args.input;
        return retryConflicts(
          () => next({ ...args, input }),
          (delay) => sleep(random() * delay),
        );
      },
    { name: "retryConflicts", step: "initialize", priority: "high" },
  );
  return client;
}

/** @param pause waits a random part of a number of milliseconds */
async function retryConflicts<T extends { readonly output: object }>(
  send: () => Promise<T>,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<T> {
  let unanswered = 0;
  const addUnanswered = ({ $metadata = {} }: MetadataBearer) => {
    unanswered += ($metadata.attempts ?? 1) - 1;
    $metadata.attempts = unanswered + 1;
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await send();
      addUnanswered(result.output);
      return result;
    } catch (error) {
      addUnanswered(error as MetadataBearer);
      if (!isConflict(error) || attempt === CONFLICT_ATTEMPTS) throw translate(error);
    }
    await pause(Math.min(CONFLICT_MAX_DELAY_MS, CONFLICT_BASE_DELAY_MS * 2 ** attempt));
  }
}

/**
 * Whether DynamoDB has responded to all attempts at a call, given its output or the SDK's error. Otherwise an earlier one
 * can have taken effect, or still do so.
 */
export function isAnswered(result: unknown): boolean {
  return (result as MetadataBearer).$metadata?.attempts === 1;
}

/** The cancellation codes of a transaction, one for each of its items in order; undefined for any other error. */
export function cancellationCodes(error: unknown): readonly string[] | undefined {
  if (!isErrorNamed(error, "TransactionCanceledException")) return undefined;
  const { CancellationReasons: reasons } = error as { CancellationReasons?: { Code?: string }[] };
  return (reasons ?? []).map((reason) => reason.Code ?? "None");
}

/** Recognizes an error of the SDK by its name in the DynamoDB API. */
export function isErrorNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

function isConflict(error: unknown): boolean {
  if (isErrorNamed(error, "TransactionConflictException")) return true;
  const codes = cancellationCodes(error);
  return codes !== undefined && codes.length > 0 && codes.every((code) => RETRYABLE_REASONS.has(code));
}

function translate(error: unknown): unknown {
  if (isConflict(error)) return tooManyConflicts(error);
  if (cancellationCodes(error) !== undefined) return error;
  return isUnavailable(error) ? unavailable("The database", error) : error;
}

/**
 * SHA-256 for the SDK's signatures. The SDK's own passes keys as bytes, for which `createHmac` of Node 24 throws and
 * catches an error: with its stack, that takes four times as long as the rest.
 */
export class Sha256 {
  readonly #create: () => Hash | Hmac;
  #hash: Hash | Hmac;

  /** @param secret for an HMAC; the SDK passes text or bytes */
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = typeof secret === "object" ? createSecretKey(secret as Uint8Array) : secret;
    this.#create = () => (key === undefined ? createHash("sha256") : createHmac("sha256", key));
    this.#hash = this.#create();
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#create();
  }
}
