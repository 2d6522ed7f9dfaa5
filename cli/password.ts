import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandError } from "./errors.ts";

interface PasswordSource extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
}

/**
 * At a terminal, prompts for a password twice without echo; otherwise reads all of standard input.
 *
 * @returns the password; empty if none was entered
 * @throws {CommandError} if the two entries differ or the prompt is cancelled
 */
export async function readPassword(
  source: PasswordSource,
  prompts: NodeJS.WritableStream,
  question: string,
): Promise<string> {
  if (!source.isTTY) return (await text(source)).replace(/\r?\n$/, "");
  const ask = createPrompt(source, prompts);
  try {
    const password = await ask(`${question}: `);
    if (password !== "" && (await ask("Repeat: ")) !== password)
      throw new CommandError("The two passwords differ. Nothing was changed.");
    return password;
  } finally {
    ask.close();
  }
}

/** Readline handles editing keys; its echo is discarded. */
function createPrompt(source: PasswordSource, prompts: NodeJS.WritableStream) {
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: source, output: discarded, terminal: true, historySize: 0 });
  const ask = (prompt: string) =>
    new Promise<string>((resolve, reject) => {
      const cancel = () => {
        prompts.write("\n");
        reject(new CommandError("Cancelled. Nothing was changed."));
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
