import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished, vi } from "vitest";
import { launcher } from "./program.ts";

export interface Started {
  readonly process: ChildProcess;
  readonly output: () => string;
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** The URL at which the program is ready. */
  ready(): Promise<string>;
  /** Sends the signal unless the process has ended, and returns its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export function startProgram(
  program: string,
  environment: Record<string, string>,
  args: readonly string[] = [],
): Started {
  const child = spawn(process.execPath, [launcher, program, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let isClosed = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const exited = once(child, "close") as Promise<[number | null]>;
  void exited.then(() => {
    isClosed = true;
  });
  const printed = (pattern: RegExp) => {
    const find = () => {
      const match = output.match(pattern);
      if (isClosed && !match) throw new Error(`The program did not print ${pattern}:\n${output}`);
      return match;
    };
    return vi.waitUntil(find, { timeout: 3_600_000, interval: 5 });
  };
  return {
    process: child,
    output: () => output,
    printed,
    ready: async () => (await printed(/Ready at (\S+)/))[1] ?? "",
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

/** Starts a program that is killed when the test has finished. */
export function startInTest(...program: Parameters<typeof startProgram>): Started {
  const started = startProgram(...program);
  onTestFinished(async () => void (await started.end("SIGKILL")));
  return started;
}
