import { Failure, invalid } from "./errors.ts";

/** The header that carries the key, as failures name it. */
export const KEY_HEADER = "idempotency-key";

/** A creation that happens once, however often its request comes (docs/adr/0010). */
export interface Once {
  /** The client's key. It is never stored as it is. */
  readonly key: string;
  /** Tells the request from another one under the same key; nothing of it can be had back without the key. */
  readonly request: string;
  /** When the request came. */
  readonly at: Date;
  /** Set by the repository that finds the creation done already. */
  isReplay: boolean;
}

/** The failure of a request whose key belongs to another one. */
export function keyReused(): Failure {
  const message = "The key was used for another request";
  return invalid([{ field: `headers.${KEY_HEADER}`, message, type: "key_reused" }]);
}

/** The failure of a request that comes while an earlier one with its key is still being worked on. */
export function keyInUse({ key }: Pick<Once, "key">): Failure {
  return new Failure("Conflict", `A request with the ${KEY_HEADER} ${key} is still being processed`, {
    field: KEY_HEADER,
    headers: { "retry-after": "1" },
  });
}
