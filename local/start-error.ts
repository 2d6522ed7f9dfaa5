import { CommandError } from "./cli/errors.ts";

/** The local run can't start, for a reason that its user can fix. */
export class StartError extends CommandError {
  override readonly name: string = "StartError";
}
