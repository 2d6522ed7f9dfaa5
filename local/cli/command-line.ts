import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { NoAnswer } from "../../ops/cli/http-client.ts";

/** What whoever called can set right: told in one line, without a stack. */
export class PlainError extends Error {}

/** The command was called in a way that it does not have: exit code 2. */
export class UsageError extends PlainError {}

/**
 * Reads the arguments of a command that takes one URL.
 *
 * @param args the arguments, without the program's
 * @param options the options besides `--help`, as `node:util` has them
 * @param help what `--help` prints
 * @returns the URL and the options' values; or undefined when help was wanted, which is then printed
 * @throws {UsageError}
 */
export function readArguments<const T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  help: string,
) {
  const { values, positionals } = parse(args, options);
  if ((values as { help?: boolean }).help) {
    process.stdout.write(help);
    return undefined;
  }
  const [url, ...others] = positionals;
  if (url === undefined || others.length > 0) throw new UsageError("One URL is needed. See --help.");
  return { url: readUrl(url), values };
}

function parse<const T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  const help = { type: "boolean", short: "h" } as const;
  try {
    return parseArgs({ args: [...args], options: { ...options, help }, allowPositionals: true });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${error.message}. See --help.`);
    throw error;
  }
}

/**
 * Reads a URL; `http://` may be left out.
 *
 * @throws {UsageError}
 */
function readUrl(given: string): URL {
  const url = URL.parse(/^[a-z]+:\/\//i.test(given) ? given : `http://${given}`);
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new UsageError(`"${given}" is no http or https URL.`);
  return url;
}

/**
 * Reads a whole number.
 *
 * @throws {UsageError} naming the option when it is none or out of bounds
 */
export function wholeNumber(option: string, given: string, { min, max }: { min: number; max: number }) {
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= min && number <= max) return number;
  throw new UsageError(`--${option} is a whole number from ${min} to ${max}, not "${given}".`);
}

/**
 * Runs a command and sets the process's exit code: what the command returns, or with a message 1 when it fails and 2
 * when it was called wrongly.
 *
 * @param command what to run
 */
export async function run(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command();
  } catch (error) {
    const isPlain = error instanceof PlainError || error instanceof NoAnswer;
    process.stderr.write(`${isPlain ? error.message : error instanceof Error ? error.stack : error}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
