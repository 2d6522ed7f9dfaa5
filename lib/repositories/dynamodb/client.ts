import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { isUnavailable, requestClientConfig, unavailable } from "../../aws.ts";

/** Attempts at one call that loses against another transaction; each waits longer than the one before. */
const CONFLICT_ATTEMPTS = 8;
const CONFLICT_BASE_MS = 10;
const CONFLICT_CEILING_MS = 400;

/** Codes with which a transaction was cancelled through no fault of its own: it may be tried again. */
const RETRYABLE_REASONS = new Set([
  "None",
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);

interface ClientOptions {
  /** Overrides of the SDK's configuration: endpoint, credentials, request handler. */
  readonly config?: DynamoDBClientConfig;
  /** A number from 0 up to 1; Math.random unless told. */
  readonly random?: () => number;
  /** Waits a number of milliseconds. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/**
 * The DynamoDB client that all repositories share, with the policy for trouble in one place:
 *
 * - The SDK retries throttling, time-outs, server errors and a transaction whose earlier attempt is still in
 *   progress, three attempts in all. It has no time-outs unless told, and only warns of a slow answer unless told
 *   to throw.
 * - It never retries a conflict between transactions
 *   (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html), so that is done
 *   here: full jitter, and the same ClientRequestToken each time, so that a commit whose answer was lost
 *   counts as done.
 * - What stays unreachable, throttled or in conflict is thrown as ApiError `ServiceUnavailable` with the SDK's
 *   error as its cause. Failed conditions and everything else pass through unchanged.
 */
export function documentClient({ config, random = Math.random, sleep = wait }: ClientOptions = {}) {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...requestClientConfig, ...config }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const input =
          commandName === "TransactWriteItemsCommand"
            ? { ClientRequestToken: crypto.randomUUID(), ...args.input }
            : args.input;
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await next({ ...args, input });
          } catch (error) {
            if (!isConflict(error) || attempt === CONFLICT_ATTEMPTS) throw translate(error);
          }
          await sleep(random() * Math.min(CONFLICT_CEILING_MS, CONFLICT_BASE_MS * 2 ** attempt));
        }
      },
    { name: "resourceApiFailures", step: "initialize", priority: "high" },
  );
  return client;
}

/** The reasons' codes of a cancelled transaction, one for each of its items in order. */
export function cancellationCodes(error: unknown): readonly string[] | undefined {
  if (!isErrorNamed(error, "TransactionCanceledException")) return undefined;
  const { CancellationReasons: reasons } = error as { CancellationReasons?: { Code?: string }[] };
  return (reasons ?? []).map((reason) => reason.Code ?? "None");
}

/**
 * Tells an error of the SDK by its name.
 *
 * @param error anything thrown
 * @param name the exception's name in the DynamoDB API
 */
export function isErrorNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

function isConflict(error: unknown): boolean {
  if (isErrorNamed(error, "TransactionConflictException")) return true;
  const codes = cancellationCodes(error);
  return codes !== undefined && codes.length > 0 && codes.every((code) => RETRYABLE_REASONS.has(code));
}

function translate(error: unknown): unknown {
  if (cancellationCodes(error) !== undefined && !isConflict(error)) return error;
  return isUnavailable(error) ? unavailable("The database", error) : error;
}
