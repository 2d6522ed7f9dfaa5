import { errorText, UsageError } from "./errors.ts";
import { helpText } from "./help.ts";
import { type Arguments, type Options, parseArguments, type Values } from "./parameters.ts";

export interface Command<
  O extends Options = Record<never, never>,
  A extends Arguments = Record<never, never>,
> {
  /** How it is called, such as `npm run load`. */
  readonly name: string;
  readonly description: string;
  /** `--help` is added. */
  readonly options?: O;
  readonly arguments?: A;
  /** The environment variables that it reads, with their meaning, for `--help`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What an error of a library says that is expected; undefined for a defect. */
  readonly expectedMessage?: (error: Error) => string | undefined;
  /** @returns the exit code */
  run(values: Values<O> & Values<A>): Promise<number>;
}

/**
 * Sets the exit code: 1 if the command throws, 2 if its arguments are invalid. Prints expected errors in a
 * line.
 */
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
