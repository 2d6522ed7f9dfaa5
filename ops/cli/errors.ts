import { isUnavailable } from "../../lib/aws.ts";
import { ApiError } from "../../lib/domain/errors.ts";

/** The command was called in a way that it does not have: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command cannot do what it was asked, for a reason that its user can set right: exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * Says in one line why a command has failed; only a defect gets its stack.
 *
 * @param error anything thrown
 */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ApiError) {
    const { cause } = error;
    return cause instanceof Error ? `${error.message} (${nameOf(cause)})` : error.message;
  }
  if (error instanceof UsageError || error instanceof CommandError) return error.message;
  const isUnreachable: boolean = isUnavailable(error);
  if (isUnreachable) return `AWS cannot be reached: ${nameOf(error)}`;
  if (isOfSdk(error)) return `${error.name}: ${error.message.replaceAll(/\s+/g, " ")}`;
  if (error.message === "Region is missing")
    return "No AWS region is set: give AWS_REGION or a profile with one.";
  return error.stack ?? error.message;
}

/** What a service answered, or what the chain of credential sources came to. */
function isOfSdk(error: Error): boolean {
  return "$metadata" in error || "tryNextLink" in error;
}

function nameOf(error: Error): string {
  const { code } = error as { readonly code?: string };
  return code ?? error.name;
}
