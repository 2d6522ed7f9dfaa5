import type { IdempotencyContext } from "../../../lib/domain/idempotency.ts";

export function idempotencyContext(
  key: string,
  fields: Partial<IdempotencyContext> = {},
): IdempotencyContext {
  return { key, requestHash: "a request", receivedAt: new Date("2026-03-01T12:00:00.000Z"), ...fields };
}
