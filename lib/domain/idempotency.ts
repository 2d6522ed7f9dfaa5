import { type ApiError, validationError } from "./errors.ts";

export const IDEMPOTENCY_KEY_HEADER = "idempotency-key";

/** A creating request with an `Idempotency-Key`: it takes effect only once (docs/adr/0010). */
export interface IdempotencyContext {
  readonly key: string;
  /** The account to which the key belongs, where access rules require one. */
  readonly scope?: string | undefined;
  /** A keyed hash, which detects a different request with the same key. */
  readonly requestHash: string;
  readonly receivedAt: Date;
}

export interface Creation<T> {
  readonly record: T;
  readonly replayed: boolean;
}

export function idempotencyKeyReused(): ApiError {
  const message = "The key was used for a different request: use a new key";
  return validationError([{ field: `headers.${IDEMPOTENCY_KEY_HEADER}`, message, type: "key_reused" }]);
}
