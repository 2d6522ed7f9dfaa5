import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createLineLog, type LogLine, type LogSink } from "../log.ts";
import { StartError } from "../start-error.ts";
import { callDynamodb, DynamodbError } from "./dynamodb-call.ts";
import type { EngineProgram } from "./engine-programs.ts";

/** A DynamoDB that answers. */
export interface Engine {
  /** Its name, for people. */
  readonly name: string;
  readonly endpoint: string;
  /** Resolves when an engine of ours ends; never for one that somebody else runs. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const readyWithinMs = 30_000;
const pollEveryMs = 10;

/** How much of its output is shown when the engine ends by itself. */
const outputLines = 20;

/**
 * Uses a DynamoDB that somebody else runs.
 *
 * @param endpoint its URL
 * @throws {StartError} if nothing answers there
 */
export async function useEngine(endpoint: string): Promise<Engine> {
  try {
    const answer: { readonly TableNames?: unknown } | null = await callDynamodb(endpoint, "ListTables", {
      Limit: 1,
    });
    if (!Array.isArray(answer?.TableNames)) throw new Error("what answers is something else");
  } catch (error) {
    throw new StartError(
      `DYNAMODB_ENDPOINT is ${endpoint}, but no DynamoDB answers there (${causeOf(error)}). ` +
        "Start one there, correct the URL, or unset it to use the embedded engine.",
    );
  }
  const ended = new Promise<void>(() => undefined);
  return { name: `DynamoDB at ${endpoint}`, endpoint, ended, stop: async () => undefined };
}

/**
 * Starts the first of the installed engines that can run on a free loopback port.
 *
 * @param programs the installed engines, the preferred one first
 * @param directory where it keeps its data; undefined keeps nothing
 * @param log where its last output goes if it ends by itself
 * @returns the engine, once it answers
 * @throws {StartError} if none is installed, or it does not start
 */
export async function startEngine(
  programs: readonly EngineProgram[],
  directory: string | undefined,
  log: LogSink,
): Promise<Engine> {
  const obstacles: string[] = [];
  const program = programs.find((each) => {
    const obstacle = each.obstacle?.();
    if (obstacle !== undefined) obstacles.push(obstacle);
    return obstacle === undefined;
  });
  if (program === undefined) {
    const why = obstacles.length > 0 ? ` (${obstacles.join(", ")})` : "";
    throw new StartError(
      `No DynamoDB engine is installed${why}. Install dynoxide for your platform (\`npm install --no-save ` +
        `@dynoxide/${process.platform}-${process.arch}\`) or Java 17, or set DYNAMODB_ENDPOINT.`,
    );
  }
  const port = await findFreePort();
  const guarded = startGuarded(program.command(port, directory), log);
  const engine = { name: program.name, endpoint: `http://127.0.0.1:${port}`, ...guarded };
  try {
    await untilReady(engine);
  } catch (error) {
    await guarded.stop();
    throw error;
  }
  return engine;
}

/**
 * Runs the engine and ends it when standard input closes: that happens however this process ends. Whichever of
 * the two ends first, the shell doesn't leave the other one behind.
 */
const guardScript = `
exec 3<&0
"$@" 3<&- </dev/null & engine=$!
{ read -r _ <&3; kill "$engine"; } >/dev/null 2>&1 & guard=$!
exec 3<&-
wait "$engine"
kill "$guard" 2>/dev/null
`;

function startGuarded(command: readonly string[], log: LogSink) {
  // In a process group of its own, so that Ctrl-C reaches only this process, which then ends in order.
  const child = spawn("sh", ["-c", guardScript, "engine-guard", ...command], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said: LogLine[] = [];
  const keep = (line: LogLine) => {
    if (said.push(line) > outputLines) said.shift();
  };
  for (const stream of [child.stdout, child.stderr]) {
    const lines = createLineLog(keep, "engine");
    stream.setEncoding("utf8").on("data", lines.write).on("end", lines.end);
  }
  // A guard that is gone can't be told anything; that it is gone is what `ended` says.
  child.stdin.on("error", () => undefined);
  let isStopping = false;
  const ended = once(child, "close").then(() => {
    if (!isStopping) said.forEach(log);
  });
  const stop = async () => {
    isStopping = true;
    child.stdin.end();
    await ended;
  };
  return { ended, stop };
}

async function untilReady({ name, endpoint, ended }: Engine): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (;;) {
    try {
      await callDynamodb(endpoint, "ListTables", { Limit: 1 });
      return;
    } catch (error) {
      if (error instanceof DynamodbError) throw error;
      if (hasEnded) throw new StartError(`The engine ${name} ended while it started; its output says why.`);
      if (Date.now() > deadline)
        throw new StartError(`The engine ${name} does not answer: ${causeOf(error)}`);
      await delay(pollEveryMs);
    }
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string")
    throw new Error("The probe for a free port has no port.");
  return address.port;
}

/** `fetch` only says that it failed; the reason is in the cause. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SyntaxError) return "what answers is no JSON";
  const { message } = error.cause instanceof Error ? error.cause : error;
  // The words of `fetch` for a port that its standard keeps for another protocol.
  return message === "bad port" ? "this port is one that browsers and Node refuse, choose another" : message;
}
