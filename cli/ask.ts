import { createInterface } from "node:readline";

/** Asks for a line of the input. @returns it without spaces at its ends; empty if there is none */
export async function ask(question: string, input: NodeJS.ReadableStream = process.stdin): Promise<string> {
  process.stderr.write(question);
  for await (const line of createInterface({ input })) return line.trim();
  return "";
}
