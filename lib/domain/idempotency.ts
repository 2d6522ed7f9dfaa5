import { ApiError, validationError } from "./errors.ts";

/** The header that carries the key, as failures name it. */
export const IDEMPOTENCY_KEY_HEADER = "idempotency-key";

/** A creation that happens once, however often its request comes (docs/adr/0010). */
export interface IdempotencyContext {
  /** The client's key. It is never stored as it is. */
  readonly key: string;
  /** Tells the request from another one under the same key; nothing of it can be had back without the key. */
  readonly requestHash: string;
  /** When the request came. */
  readonly receivedAt: Date;
  /** Set by the repository that finds the creation done already. */
  isReplay: boolean;
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
