import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../..", import.meta.url));

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
  /** It is sent SIGINT when its output matches. */
  readonly interruptAt?: RegExp;
}

/**
 * Runs a TypeScript program as a process of its own until it ends.
 *
 * @param file its path, from the project's folder
 */
export async function runProgram(
  file: string,
  args: readonly string[] = [],
  { environment = {}, input = "", interruptAt }: Given = {},
): Promise<Left> {
  const child = spawn(process.execPath, [resolve(project, file), ...args], {
    env: { PATH: process.env.PATH, ...environment },
  });
  const left = { output: "", errors: "" };
  let isInterrupted = false;
  const append = (name: keyof typeof left) => (text: string) => {
    left[name] += text;
    if (isInterrupted || !interruptAt?.test(left[name])) return;
    isInterrupted = true;
    child.kill("SIGINT");
  };
  child.stdout.setEncoding("utf8").on("data", append("output"));
  child.stderr.setEncoding("utf8").on("data", append("errors"));
  // A program that needs no input may end before it is written.
  child.stdin.on("error", () => undefined).end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...left };
}
