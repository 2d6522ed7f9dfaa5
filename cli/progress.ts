/** Prints a line for people to standard error, because standard output is for results. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
