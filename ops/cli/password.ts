import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError } from "./errors.ts";

/** Where a password comes from: standard input. */
export interface PasswordSource extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
}

/**
 * Gets a password: asked for twice without echo at a terminal, else all of standard input, up to its line break.
 *
 * @param source standard input
 * @param prompts where to ask
 * @param question what is asked for, such as `Password of ada`
 * @returns the password; empty if nothing was entered
 * @throws CommandError when the two differ, or the question is cancelled
 */
export async function readPassword(
  source: PasswordSource,
  prompts: NodeJS.WritableStream,
  question: string,
): Promise<string> {
  if (!source.isTTY) return (await text(source)).replace(/\r?\n$/, "");
  const ask = createAsker(source, prompts);
  try {
    const password = await ask(`${question}: `);
    if (password !== "" && (await ask("Once more: ")) !== password)
      throw new CommandError("The two passwords differ; nothing is changed.");
    return password;
  } finally {
    ask.close();
  }
}

/** Readline edits the line, and what it would show goes nowhere. */
function createAsker(source: PasswordSource, prompts: NodeJS.WritableStream) {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: source, output: nowhere, terminal: true, historySize: 0 });
  const ask = (prompt: string) =>
    new Promise<string>((resolve, reject) => {
      const cancel = () => {
        prompts.write("\n");
        reject(new CommandError("Cancelled; nothing is changed."));
      };
      terminal.once("close", cancel).once("SIGINT", cancel);
      prompts.write(prompt);
      terminal.question("", (answer) => {
        terminal.off("close", cancel).off("SIGINT", cancel);
        prompts.write("\n");
        resolve(answer);
      });
    });
  return Object.assign(ask, { close: () => terminal.close() });
}
