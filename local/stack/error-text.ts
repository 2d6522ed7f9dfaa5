/**
 * Says why code could not be loaded or run, in one line: the error's message, and where in the project it comes from.
 *
 * @param error anything thrown
 */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What does not compile begins with its own place; the stack's would be the bundler's.
  if (/^\S+:\d+:\d+: /.test(error.message)) return error.message;
  const lines = error.stack?.split("\n") ?? [];
  // What cannot be parsed has no frame in the project; its stack begins with the place.
  const place =
    error instanceof SyntaxError
      ? lines.find((line) => /^\S*\/.*:\d+$/.test(line))
      : lines.find((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line));
  return `${error.message}${place === undefined ? "" : ` (${place.trim()})`}`;
}
