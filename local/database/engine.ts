import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { CommandError, messageOf } from "../../cli/errors.ts";
import { checkAddress } from "../listen.ts";
import { createLineLog, type LogLine, type LogSink } from "../log.ts";
import { callDynamodb, type EngineAddress } from "./dynamodb-call.ts";
import type { EngineProgram } from "./engine-programs.ts";

export interface Engine extends EngineAddress {
  readonly name: string;
  /** Resolves with its last output when the embedded engine ends; never for an external one. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const defaultHost = "127.0.0.1";

/** Of a busy machine. An engine that ends is reported at once. */
const readyTimeoutMs = 300_000;
const connectTimeoutMs = 5_000;
const pollIntervalMs = 10;

const maxOutputLines = 20;

/** @throws {CommandError} if no DynamoDB responds at the URL */
export async function connectToEngine(endpoint: string): Promise<Engine> {
  try {
    const signal = AbortSignal.timeout(connectTimeoutMs);
    const response = await callDynamodb({ endpoint }, "ListTables", { Limit: 1 }, signal);
    if (!Array.isArray(response?.TableNames)) throw new Error("the response is not DynamoDB's");
  } catch (error) {
    throw new CommandError(
      `DYNAMODB_ENDPOINT is ${endpoint}, but no DynamoDB responds there (${causeOf(error)}). ` +
        "Start one there, correct the URL, or unset it to use the embedded engine.",
    );
  }
  const ended = new Promise<string>(() => undefined);
  return { name: `DynamoDB at ${endpoint}`, endpoint, ended, stop: async () => undefined };
}

/**
 * Engines respond to anybody, so web pages must not be able to guess the address (docs/adr/0005).
 * @param directory for the data; undefined keeps it in memory
 * @throws {CommandError} if it does not start
 */
export async function startEngine(program: EngineProgram, directory: string | undefined, log: LogSink) {
  const port = await choosePort();
  const host = await chooseHost(randomLoopbackAddress(), port);
  const { name } = program;
  const engine = {
    name,
    endpoint: `http://${host}:${port}`,
    ...run(program.command(host, port, directory), log),
  };
  try {
    await untilReady(engine);
  } catch (error) {
    await engine.stop();
    throw error;
  }
  return engine;
}

/** Ends the engine when standard input closes, which happens however its parent ends, and ends with it. */
const guard = `
const [program, ...args] = process.argv.slice(1);
process.umask(0o077);
const engine = require("node:child_process").spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
engine.on("error", ({ message }) => { process.stderr.write(message + "\\n"); process.exit(1); });
engine.on("exit", (code) => process.exit(code ?? 1));
process.stdin.on("end", () => engine.kill()).resume();
`;

/** In its own process group: Ctrl-C only reaches this process, which then stops the engine last. */
function run(command: readonly string[], log: LogSink): Pick<Engine, "ended" | "stop"> {
  const child = spawn(process.execPath, ["-e", guard, "--", ...command], {
    detached: true,
    windowsHide: true,
  });
  const lastLines: LogLine[] = [];
  const keepLine = (line: LogLine) => {
    if (lastLines.push(line) > maxOutputLines) lastLines.shift();
  };
  for (const stream of [child.stdout, child.stderr]) {
    const lines = createLineLog(keepLine, "engine");
    stream.setEncoding("utf8").on("data", lines.write).on("end", lines.end);
  }
  // Writing to a guard that has ended fails; `ended` reports that.
  child.stdin.on("error", () => undefined);
  let isStopping = false;
  const ended = once(child, "close").then(() => {
    if (!isStopping) lastLines.forEach(log);
    return lastLines.map(({ text }) => text).join(" ") || "it printed nothing";
  });
  const stop = async () => {
    isStopping = true;
    child.stdin.end();
    await ended;
  };
  return { ended, stop };
}

async function untilReady({ name, ended, endpoint }: Engine): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  let lastOutput: string | undefined;
  void ended.then((output) => {
    lastOutput = output;
  });
  for (;;) {
    try {
      await callDynamodb({ endpoint }, "ListTables", { Limit: 1 });
      return;
    } catch (error) {
      if (lastOutput !== undefined)
        throw new CommandError(`The engine ${name} ended during its start: ${lastOutput}`);
      if (Date.now() > deadline)
        throw new CommandError(`The engine ${name} does not respond: ${causeOf(error)}`);
      await delay(pollIntervalMs);
    }
  }
}

/** One of the 16 million addresses of this machine in 127.0.0.0/8. */
function randomLoopbackAddress(): string {
  return ["127", randomInt(1, 255), randomInt(256), randomInt(1, 255)].join(".");
}

/** @returns the candidate, or 127.0.0.1 if it is not an address of this machine, such as on macOS */
export async function chooseHost(candidate: string, port: number): Promise<string> {
  try {
    await checkAddress({ host: candidate, port });
    return candidate;
  } catch (error) {
    if (Object(error).cause?.code === "EADDRNOTAVAIL") return defaultHost;
    throw error;
  }
}

/** A free port below those that systems assign, from 32,768 on: an engine may take seconds until it listens. */
async function choosePort(): Promise<number> {
  const port = randomInt(10_000, 32_768);
  try {
    await checkAddress({ host: defaultHost, port });
    return port;
  } catch (error) {
    // Windows denies access to ports that it reserves.
    if (["EADDRINUSE", "EACCES"].includes(Object(error).cause?.code)) return choosePort();
    throw error;
  }
}

function causeOf(error: unknown): string {
  if (error instanceof SyntaxError) return "the response is not JSON";
  if (Object(error).name === "AbortError") return "there was no response within 5 seconds";
  return messageOf(error);
}
