/** A failure with a known cause. The message says in one line what is wrong and what to do about it. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
}

/** The arguments of a command are invalid: exit code 2. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";
}

/** For a host with several addresses, only the errors of the single addresses have a message. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** What a command prints about an error: the message if it was expected, the stack if it is a defect. */
export function errorText(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
