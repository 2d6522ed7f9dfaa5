import { CommandError } from "../../cli/errors.ts";

/** Imports the service's own code. @throws {CommandError} whose one line has the place of the code's error */
export async function loadModule<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    throw new CommandError(`The service's code can't be loaded: ${describeCodeError(error)}`);
  }
}

/** @returns the error's message in one line, with the place in the project where it comes from */
export function describeCodeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The bundler's messages begin with the place; their stack only names the bundler.
  if (/^\S+:\d+:\d+: /.test(error.message)) return error.message;
  const lines = error.stack?.split("\n") ?? [];
  // A syntax error has no frame in the project; its stack begins with the place.
  const place =
    error instanceof SyntaxError
      ? lines.find((line) => /^\S*\/.*:\d+$/.test(line))
      : lines.find((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line));
  return `${error.message}${place === undefined ? "" : ` (${place.trim()})`}`;
}
