/** A failure with a known cause. The message says in one line what is wrong and what to do about it. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
}

/** The arguments of a command are invalid: exit code 2. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";
}

/** What a command prints about an error: the message if it was expected, the stack if it is a defect. */
export function errorText(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
