import { fork, type SpawnOptions, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";

/** A program that runs until it is stopped. */
interface RunningProgram {
  /** Also the id of its process group. */
  readonly pid: number;
  /**
   * Waits until the output since the last call matches a pattern.
   *
   * @returns that output
   * @throws {Error} with the output if the program ends first
   */
  printed(pattern: RegExp): Promise<string>;
  /** Sends SIGINT to the program and its children, and waits for its end. */
  stop(): Promise<void>;
}

/** Starts a program with an in-memory database on any free port. */
export function startProgram(
  command: string,
  args: readonly string[],
  cwd: SpawnOptions["cwd"],
): RunningProgram {
  const child = spawn(command, [...args], {
    cwd,
    env: { ...process.env, PORT: "0", DATA_DIR: "memory" },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own, so that the signal below also reaches what npm has started.
    detached: true,
  });
  const interrupt = () => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (isRunning && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
  };
  // Ctrl-C at a terminal does not reach another process group.
  const onInterrupt = () => {
    interrupt();
    process.exit(130);
  };
  process.once("SIGINT", onInterrupt);
  const ended = once(child, "close").finally(() => process.off("SIGINT", onInterrupt));
  let output = "";
  const received = new EventEmitter();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      received.emit("output");
    });

  return {
    pid: child.pid ?? 0,
    async printed(pattern) {
      while (!pattern.test(output)) {
        const hasEnded = await Promise.race([
          once(received, "output").then(() => false),
          ended.then(() => true),
        ]);
        if (hasEnded) throw new Error(`${command} ${args.join(" ")} ended unexpectedly:\n${output}`);
      }
      const matched = output;
      output = "";
      return matched;
    },
    async stop() {
      interrupt();
      await ended;
    },
  };
}

/**
 * Runs a module in a new process, without standard output, and waits for the one message that it sends.
 *
 * @throws {Error} if the process ends without a message
 */
export async function messageOfChild<T>(
  module: URL,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<T> {
  const child = fork(module, [...args], {
    env: { ...env },
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "close");
  const messages = await Promise.race([once(child, "message"), ended.then(() => undefined)]);
  await ended;
  if (messages === undefined) throw new Error(`${module.pathname} ended without a result`);
  return messages[0] as T;
}
