import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import type { AwsCall, Credentials } from "../aws/credentials.ts";
import { createLineLog, type LogSink } from "../log.ts";
import type { FunctionModel } from "../stack/model.ts";
import { functionEnvironment } from "./environment-variables.ts";

/** One request to the function, as `worker.mjs` gets it. */
export interface Invocation {
  readonly payload: string;
  readonly requestId: string;
  readonly functionArn: string;
  /** When the function times out, in milliseconds since the epoch. */
  readonly deadline: number;
}

export type WorkerMessage = { readonly kind: "log"; readonly text: string } | Outcome;

type Success = { readonly kind: "result"; readonly payload: string };
/** The handler can't be loaded, it threw, or its result can't be serialized. */
type Failure = { readonly kind: "failure"; readonly reason: string };
type Outcome = Success | Failure;

type Details = { readonly requestId: string; readonly calls: readonly AwsCall[]; readonly isCold: boolean };
/** A function that does not start has no details. */
export type InvocationResult = (Success & Details) | (Failure & Partial<Details>);

export interface EnvironmentContext {
  readonly awsUrl: string;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly log: LogSink;
  readonly limits: {
    readonly initMs: number;
    /** Instead of the function's own. */
    readonly invocationMs?: number;
  };
}

/** The initialization of a function took too long. */
export class InitTimeoutError extends Error {
  override readonly name = "InitTimeoutError";
}

/** A worker thread with environment variables and a memory limit, which handles one request at a time. */
export class ExecutionEnvironment {
  readonly functionModel: FunctionModel;
  /** Resolves when the thread has ended, for any reason. */
  readonly ended: Promise<void>;
  /** False once the thread is ending. */
  isAlive = true;
  readonly #worker: Worker;
  readonly #credentials: Credentials;
  readonly #timeoutMs: number;
  #isCold = true;
  #hasTimedOut = false;
  #exitReason = "Runtime exited without providing a reason";
  #resolveOutcome: ((outcome: Outcome) => void) | undefined;

  /** @throws {InitTimeoutError} if loading the code takes longer than the limit, {Error} if it fails */
  static async start(
    functionModel: FunctionModel,
    credentials: Credentials,
    context: EnvironmentContext,
  ): Promise<ExecutionEnvironment> {
    const environment = new ExecutionEnvironment(functionModel, credentials, context);
    const outcome = await environment.#outcomeWithin(context.limits.initMs);
    if (outcome.kind === "result") return environment;
    await environment.terminate();
    if (environment.#hasTimedOut) throw new InitTimeoutError(`Init: ${outcome.reason}`);
    throw new Error(outcome.reason);
  }

  private constructor(functionModel: FunctionModel, credentials: Credentials, context: EnvironmentContext) {
    this.functionModel = functionModel;
    this.#credentials = credentials;
    this.#timeoutMs = context.limits.invocationMs ?? functionModel.timeoutSeconds * 1000;
    this.#worker = startWorker(functionModel, credentials, context);
    const lines = createLineLog(context.log, functionModel.label);
    this.#worker.on("message", (message: WorkerMessage) => {
      if (message.kind === "log") lines.write(message.text);
      else this.#resolveOutcome?.(message);
    });
    // Only Node itself writes to the streams: a function's output arrives in messages, in order with results.
    for (const stream of [this.#worker.stdout, this.#worker.stderr])
      stream.setEncoding("utf8").on("data", lines.write);
    this.#worker.on("error", (error) => {
      this.#exitReason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    });
    this.ended = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        lines.end();
        if (this.#resolveOutcome) this.#resolveOutcome({ kind: "failure", reason: this.#exitReason });
        else if (this.isAlive) lines.write(`Crashed between requests: ${this.#exitReason}\n`);
        this.isAlive = false;
        resolve();
      });
    });
  }

  /** Runs the handler. The environment ends if the handler crashes or times out. */
  async invoke(payload: string): Promise<InvocationResult> {
    const invocation: Invocation = {
      payload,
      requestId: randomUUID(),
      functionArn: this.functionModel.arn,
      deadline: Date.now() + this.#timeoutMs,
    };
    const isCold = this.#isCold;
    this.#isCold = false;
    // Requests that the environment sent after its last response do not count for this one.
    this.#credentials.takeCalls();
    const ending = this.#outcomeWithin(this.#timeoutMs);
    this.#worker.postMessage(invocation);
    const outcome = await ending;
    return { ...outcome, requestId: invocation.requestId, calls: this.#credentials.takeCalls(), isCold };
  }

  async terminate(): Promise<void> {
    this.isAlive = false;
    await this.#worker.terminate();
  }

  /** Terminates the thread if its next outcome takes longer than the limit. */
  async #outcomeWithin(limitMs: number): Promise<Outcome> {
    const timer = setTimeout(() => {
      this.#hasTimedOut = true;
      this.#exitReason = `Task timed out after ${(limitMs / 1000).toFixed(2)} seconds`;
      void this.terminate();
    }, limitMs);
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#resolveOutcome = resolve;
    });
    this.#resolveOutcome = undefined;
    clearTimeout(timer);
    return outcome;
  }
}

function startWorker(
  functionModel: FunctionModel,
  { accessKeyId }: Credentials,
  { awsUrl, environment }: EnvironmentContext,
): Worker {
  return new Worker(new URL("./worker.mjs", import.meta.url), {
    name: functionModel.name,
    env: { ...functionEnvironment(functionModel, accessKeyId, awsUrl), ...environment },
    argv: [],
    execArgv: ["--enable-source-maps"],
    // By default each thread is piped to this process's streams, which warn about too many listeners.
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: functionModel.memoryMegabytes,
      // By default 48 MB, most of which a thread fills before it collects garbage: more than CPU caches hold.
      maxYoungGenerationSizeMb: 4,
    },
  });
}
