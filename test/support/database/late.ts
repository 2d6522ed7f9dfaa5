import { testClient } from "./database.ts";
import { deliver, injectFaults, type Plan } from "./faults.ts";

export const CONDITION_FAILED = "ConditionalCheckFailedException";
export const TOKEN_USED = "IdempotentParameterMismatchException";

/** A process with late attempts, which `arrive` lets arrive. */
export function unlucky(endpoint: string, plan: Plan) {
  const client = testClient(endpoint);
  const attempted = injectFaults(client, plan);
  return { client, arrive: () => deliver(attempted) };
}
