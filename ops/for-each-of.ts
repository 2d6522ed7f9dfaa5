import { CommandError } from "../cli/errors.ts";
import { expectedMessage } from "./operator-command.ts";

/**
 * Does something with each resource, also after one with which it failed.
 *
 * @param failed what the message begins with, such as `Not stopped (repeat the command)`
 * @throws {CommandError} at the end, with the resources that failed, and why
 */
export async function forEachOf<T>(
  resources: Iterable<T>,
  failed: string,
  act: (resource: T) => Promise<void>,
  nameOf: (resource: T) => string = String,
): Promise<void> {
  const failures: string[] = [];
  for (const resource of resources)
    await act(resource).catch((error: Error) => {
      const message = error instanceof CommandError ? error.message : expectedMessage(error);
      if (message === undefined) throw error;
      failures.push(`\n- ${nameOf(resource)}: ${message}`);
    });
  if (failures.length > 0) throw new CommandError(`${failed}:${failures.join("")}`);
}
