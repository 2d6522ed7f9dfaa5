import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a program left when it ended. */
export interface Ended {
  readonly code: number | null;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly errors: string;
}

/**
 * Runs one of the project's programs until it ends, with nothing of this process's environment but the path.
 *
 * @param file the program, from the project's folder
 * @param args its arguments
 * @param environment its environment variables
 * @param interruptAt it is sent SIGINT when its output matches
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  interruptAt?: RegExp,
): Promise<Ended> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../../${file}`, import.meta.url)), ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = { output: "", errors: "" };
  let isInterrupted = false;
  const append = (name: keyof typeof ended) => (text: string) => {
    ended[name] += text;
    if (isInterrupted || !interruptAt?.test(ended[name])) return;
    isInterrupted = true;
    child.kill("SIGINT");
  };
  child.stdout.setEncoding("utf8").on("data", append("output"));
  child.stderr.setEncoding("utf8").on("data", append("errors"));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...ended };
}
