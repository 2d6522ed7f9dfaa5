import { spawn } from "node:child_process";
import { once } from "node:events";

/** What a program left when it ended. */
export interface Left {
  readonly code: number | null;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly errors: string;
}

interface Given {
  /** Environment variables; it gets nothing else of this process but the path. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
}

/**
 * Runs a TypeScript program as a process of its own until it ends.
 *
 * @param file its absolute path
 */
export async function runProgram(
  file: string,
  args: readonly string[] = [],
  { environment = {}, input = "" }: Given = {},
): Promise<Left> {
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: process.env.PATH, ...environment } });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  // A program that needs no input may end before it is written.
  child.stdin.on("error", () => undefined).end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output, errors };
}
