import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError } from "./errors.ts";

/**
 * At a terminal, prompts for a password twice without echo; otherwise reads all of standard input.
 *
 * @returns the password; empty if none was entered
 * @throws {CommandError} if the two entries differ or the prompt is cancelled
 */
export async function readPassword(
  source: NodeJS.ReadableStream & { readonly isTTY?: boolean },
  prompts: NodeJS.WritableStream,
  question: string,
): Promise<string> {
  if (!source.isTTY) return (await text(source)).replace(/\r?\n$/, "");
  // Readline handles editing keys; its echo is discarded.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: source, output, terminal: true, historySize: 0 });
  const closing = new AbortController();
  terminal.once("close", () => closing.abort());
  const ask = async (prompt: string) => {
    prompts.write(prompt);
    const answer = await terminal.question("", { signal: closing.signal }).catch(() => undefined);
    prompts.write("\n");
    if (answer === undefined) throw new CommandError("Cancelled. Nothing was changed.");
    return answer;
  };
  try {
    const password = await ask(`${question}: `);
    if (password !== "" && (await ask("Repeat: ")) !== password)
      throw new CommandError("The two passwords differ. Nothing was changed.");
    return password;
  } finally {
    terminal.close();
  }
}
