/**
 * A reason for which the local run can't start that is no defect of its own: the message is one line that says
 * what is wrong and what to do about it, and is shown without a stack.
 */
export class StartError extends Error {
  override readonly name: string = "StartError";
}

/** The command was called with an option that it does not have: exit code 2. */
export class UsageError extends StartError {
  override readonly name = "UsageError";
}
