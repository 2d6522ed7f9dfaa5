import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { vi } from "vitest";
import { launcher } from "./program.ts";

/** A program that runs until it is stopped. */
export interface Started {
  readonly process: ChildProcess;
  /** The output so far, of both streams. */
  readonly output: () => string;
  /** Resolves with the first match in the output. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Sends the signal unless the process has ended, and returns its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a program of the project.
 *
 * @param program its file
 * @param environment variables besides PATH
 */
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
  return {
    process: child,
    output: () => output,
    printed(pattern) {
      const find = () => {
        const match = output.match(pattern);
        if (isClosed && !match) throw new Error(`The program did not print ${pattern}:\n${output}`);
        return match;
      };
      return vi.waitUntil(find, { timeout: 3_600_000, interval: 5 });
    },
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}
