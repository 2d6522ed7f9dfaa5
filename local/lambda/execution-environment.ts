import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Credentials } from "../aws/credentials.ts";
import { createLineLog, type LogSink } from "../log.ts";
import type { FunctionModel } from "../stack/model.ts";
import { functionEnvironment } from "./environment-variables.ts";
import type { Invocation, WorkerMessage, WorkerStart } from "./worker.ts";

/** One execution environment of a function: a worker thread that serves one request at a time. */
export interface ExecutionEnvironment {
  readonly functionModel: FunctionModel;
  /**
   * Runs the handler.
   *
   * @param payload the event as JSON
   * @returns the handler's result as JSON, or why there is none; after a crash or a time-out the sandbox is gone
   */
  invoke(payload: string): Promise<InvocationResult>;
  /** False once the thread has ended or is being ended. */
  isAlive(): boolean;
  terminate(): Promise<void>;
}

export type InvocationResult =
  | {
      readonly kind: "result";
      readonly payload: string;
      readonly units: number;
      /** Whether it was the environment's first request. */
      readonly isCold: boolean;
    }
  | { readonly kind: "failure"; readonly reason: string };

/** Lambda's own limit for the initialisation of a function. */
const initialisationLimitMs = 10_000;

/**
 * Starts an execution environment: loads the function's code in a new thread, with an environment and a memory
 * limit of its own.
 *
 * @param functionModel the function
 * @param caller the thread's credentials; revoked when it ends
 * @param awsUrl the endpoint that the function gets for AWS's services
 * @param log where its output goes
 * @param onEnd called once when the thread has ended, for whatever reason
 * @returns the environment, or a text that says why its code can't be loaded
 */
export async function startExecutionEnvironment(
  functionModel: FunctionModel,
  caller: Credentials,
  awsUrl: string,
  log: LogSink,
  onEnd: () => void,
): Promise<ExecutionEnvironment | string> {
  const start = workerStart(functionModel);
  const lines = createLineLog(log, functionModel.label);
  const { accessKeyId } = caller;
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    name: functionModel.name,
    workerData: start,
    env: functionEnvironment(functionModel, { accessKeyId, logStreamName: start.logStreamName, awsUrl }),
    argv: [],
    execArgv: ["--enable-source-maps"],
    // Else each thread's streams would be led to those of this process, which are not made for so many.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: functionModel.memoryMegabytes },
  });

  let alive = true;
  let isCold = true;
  let ending = "Runtime exited without providing a reason";
  let settle: ((message: WorkerMessage) => void) | undefined;
  const nextMessage = () =>
    new Promise<WorkerMessage>((resolve) => {
      settle = (message) => {
        settle = undefined;
        resolve(message);
      };
    });

  worker.on("message", (message: WorkerMessage) => {
    if (message.kind === "log") lines.write(message.text);
    else settle?.(message);
  });
  // What Node itself writes there; the thread's own code goes by messages, in order with its results.
  for (const stream of [worker.stdout, worker.stderr]) stream.setEncoding("utf8").on("data", lines.write);
  worker.on("error", (error) => {
    ending = error instanceof Error ? (error.stack ?? error.message) : String(error);
  });
  worker.on("exit", () => {
    const wasExpected = !alive;
    alive = false;
    lines.end();
    caller.revoke();
    if (settle !== undefined) settle({ kind: "failure", reason: ending });
    else if (!wasExpected) log({ source: functionModel.label, text: `Crashed between requests: ${ending}` });
    onEnd();
  });

  const terminate = async () => {
    alive = false;
    await worker.terminate();
  };
  const orTimeOut = async (message: Promise<WorkerMessage>, limitMs: number): Promise<WorkerMessage> => {
    const timer = setTimeout(() => {
      ending = `Task timed out after ${(limitMs / 1000).toFixed(2)} seconds`;
      void terminate();
    }, limitMs);
    const result = await message;
    clearTimeout(timer);
    return result;
  };

  const loaded = await orTimeOut(nextMessage(), initialisationLimitMs);
  if (loaded.kind !== "ready") {
    await terminate();
    return "reason" in loaded ? loaded.reason : ending;
  }
  return {
    functionModel,
    isAlive: () => alive,
    terminate,
    async invoke(payload) {
      const limitMs = functionModel.timeoutSeconds * 1000;
      const invocation: Invocation = { payload, requestId: randomUUID(), deadline: Date.now() + limitMs };
      caller.takeUnits();
      const message = nextMessage();
      worker.postMessage(invocation);
      const answered = await orTimeOut(message, limitMs);
      const wasCold = isCold;
      isCold = false;
      if (answered.kind === "result") return { ...answered, units: caller.takeUnits(), isCold: wasCold };
      return { kind: "failure", reason: "reason" in answered ? answered.reason : ending };
    },
  };
}

function workerStart(functionModel: FunctionModel): WorkerStart {
  const [, file = "", exportName = ""] = /^(.*)\.([^.]+)$/.exec(functionModel.handler) ?? [];
  const candidates = [".mjs", ".js", ".cjs"].map((ending) =>
    join(functionModel.codeDirectory, file + ending),
  );
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "/");
  return {
    file:
      candidates.find((candidate) => existsSync(candidate)) ??
      join(functionModel.codeDirectory, `${file}.mjs`),
    exportName,
    functionName: functionModel.name,
    functionArn: functionModel.arn,
    memoryMegabytes: functionModel.memoryMegabytes,
    logGroupName: functionModel.logGroupName,
    logStreamName: `${day}/[$LATEST]${randomUUID().replaceAll("-", "")}`,
  };
}
