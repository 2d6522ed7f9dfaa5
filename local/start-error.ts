/**
 * A reason, outside the local run's own code, why it can't start. The message is one line that says what to do; it is
 * shown without a stack.
 */
export class StartError extends Error {
  override readonly name: string = "StartError";
}

/** The command was called with invalid arguments: exit code 2. */
export class UsageError extends StartError {
  override readonly name = "UsageError";
}
