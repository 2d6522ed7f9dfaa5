import { CommandError } from "../cli/errors.ts";
import { isUnavailable } from "../lib/aws.ts";
import { ApiError } from "../lib/domain/errors.ts";

/**
 * Converts errors that AWS, its SDK or the repositories are expected to throw into a `CommandError`. Any other error is
 * returned unchanged.
 */
export function toCommandError(error: unknown): unknown {
  const message = error instanceof Error ? expectedMessage(error) : undefined;
  return message === undefined ? error : new CommandError(message, { cause: error });
}

function expectedMessage(error: Error): string | undefined {
  if (error instanceof ApiError) {
    const { cause } = error;
    return cause instanceof Error ? `${error.message} (${codeOf(cause)})` : error.message;
  }
  const isUnreachable: boolean = isUnavailable(error);
  if (isUnreachable) return `AWS is unreachable or overloaded: ${codeOf(error)}`;
  // Responses of a service have metadata; the credential providers' own errors say whether to try the next provider.
  if ("$metadata" in error || "tryNextLink" in error)
    return `${error.name}: ${error.message.replaceAll(/\s+/g, " ")}`;
  if (error.message === "Region is missing") return "Missing AWS region: set AWS_REGION or choose a profile.";
  return undefined;
}

function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.name;
}
