import { ApiError, validationError } from "./errors.ts";

/** The header that carries the key, as failures name it. */
export const IDEMPOTENCY_KEY_HEADER = "idempotency-key";

/** Identifies a creating request by its `Idempotency-Key`, so that it takes effect once (docs/adr/0010). */
export interface IdempotencyContext {
  /** The client's key. It is never stored as it is. */
  readonly key: string;
  /** A keyed hash of the request: it differs for another request under the same key. */
  readonly requestHash: string;
  readonly receivedAt: Date;
}

/** What a repository's `create` returns. */
export interface Creation<T> {
  readonly record: T;
  /** An earlier request with the same key has created the record. */
  readonly replayed: boolean;
}

/** The failure of a request whose key belongs to another one. */
export function idempotencyKeyReused(): ApiError {
  const message = "The key was used for another request";
  return validationError([{ field: `headers.${IDEMPOTENCY_KEY_HEADER}`, message, type: "key_reused" }]);
}

/** The failure of a request that comes while an earlier one with its key is still being worked on. */
export function idempotencyKeyInUse({ key }: Pick<IdempotencyContext, "key">): ApiError {
  return new ApiError(
    "Conflict",
    `A request with the ${IDEMPOTENCY_KEY_HEADER} ${key} is still being processed`,
    {
      field: IDEMPOTENCY_KEY_HEADER,
      headers: { "retry-after": "1" },
    },
  );
}
