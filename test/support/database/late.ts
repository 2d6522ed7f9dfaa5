import { testClient } from "./database.ts";
import { deliver, injectFaults, type Plan } from "./faults.ts";

/** How late attempts end that have no effect. */
export const CONDITION_FAILED = "ConditionalCheckFailedException";
export const CANCELLED = "TransactionCanceledException";
export const TOKEN_USED = "IdempotentParameterMismatchException";

/** The first attempts at an operation arrive when the test lets them, after the SDK has given them up. */
export const late =
  (operation: string, attempts = 1): Plan =>
  (called, attempt) =>
    called === operation && attempt <= attempts ? "late" : undefined;

/** A process with late attempts, which `arrive` lets arrive. */
export function unlucky(endpoint: string, plan: Plan) {
  const client = testClient(endpoint);
  const attempted = injectFaults(client, plan);
  return { client, arrive: () => deliver(attempted) };
}
