import { createInterface } from "node:readline";

/** Asks for a word, and reads a line of standard input. @returns whether it is that word */
export async function confirm(question: string, expected: string): Promise<boolean> {
  process.stderr.write(question);
  for await (const line of createInterface({ input: process.stdin })) return line.trim() === expected;
  return false;
}
