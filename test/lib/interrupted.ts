import { testClient } from "../support/database/database.ts";
import { injectFaults } from "../support/database/faults.ts";

/** The client of a process in which some work comes before the first attempt at an operation. */
export function interruptedClient(endpoint: string, operation: string, work: () => Promise<unknown>) {
  const client = testClient(endpoint);
  injectFaults(client, async (attempted, attempt) => {
    if (attempted === operation && attempt === 1) await work();
    return undefined;
  });
  return client;
}
