import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../..", import.meta.url));

/** Programs are started as npm scripts start them. */
export const launcher = resolve(project, "local/launch.cjs");

export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

interface ProgramInput {
  readonly environment?: Readonly<Record<string, string>>;
  /** The working directory; by default that of the tests. */
  readonly directory?: string;
  readonly input?: string;
  readonly interruptAt?: RegExp;
}

/** Runs a TypeScript program, named by its path in the project, in its own process until it ends. */
export async function runProgram(
  file: string,
  args: readonly string[] = [],
  { environment = {}, directory, input = "", interruptAt }: ProgramInput = {},
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [launcher, resolve(project, file), ...args], {
    env: { PATH: process.env.PATH, ...environment },
    cwd: directory,
  });
  const outputs = { output: "", errors: "" };
  let isInterrupted = false;
  const append = (name: keyof typeof outputs) => (text: string) => {
    outputs[name] += text;
    if (isInterrupted || !interruptAt?.test(outputs[name])) return;
    isInterrupted = true;
    child.kill("SIGINT");
  };
  child.stdout.setEncoding("utf8").on("data", append("output"));
  child.stderr.setEncoding("utf8").on("data", append("errors"));
  // A program that needs no input may end before its input is written.
  child.stdin.on("error", () => undefined).end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...outputs };
}
