import { errorText, UsageError } from "./errors.ts";
import { type Described, helpText } from "./help.ts";
import { type Arguments, type Options, parseArguments, type Values } from "./parameters.ts";

export interface Command<O extends Options, A extends Arguments> extends Described<O, A> {
  /** What an error of a library says that is expected; undefined for a defect. */
  readonly expectedMessage?: (error: Error) => string | undefined;
  /** @returns the exit code */
  run(values: Values<O> & Values<A>): Promise<number>;
}

/** Sets the exit code: 1 if the command throws, 2 for invalid arguments. Prints expected errors in a line. */
export async function runCommand<
  const O extends Options = Record<never, never>,
  const A extends Arguments = Record<never, never>,
>(command: Command<O, A>): Promise<void> {
  const { options = {} as O, arguments: args = {} as A } = command;
  try {
    const values = parseArguments(options, args, process.argv.slice(2), process.env);
    if (values === undefined) process.stdout.write(helpText(command));
    else process.exitCode = await command.run(values);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const expected = error instanceof Error ? command.expectedMessage?.(error) : undefined;
    process.stderr.write(
      `${expected ?? errorText(error)}${isUsage ? ` See ${command.name} -- --help.` : ""}\n`,
    );
    process.exitCode = isUsage ? 2 : 1;
  }
}
