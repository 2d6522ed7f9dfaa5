import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { parentPort } from "node:worker_threads";

/** One request to the function. */
export interface Invocation {
  /** The event as JSON. */
  readonly payload: string;
  readonly requestId: string;
  readonly functionArn: string;
  /** When the function times out, in milliseconds since the epoch. */
  readonly deadline: number;
}

/** A message from a worker to the main thread. */
export type WorkerMessage =
  | { readonly kind: "log"; readonly text: string }
  | { readonly kind: "ready" }
  /** The handler can't be loaded. */
  | { readonly kind: "init-failure"; readonly reason: string }
  /** The handler's result as JSON. */
  | { readonly kind: "result"; readonly payload: string }
  /** The handler threw, or its result can't be serialized. */
  | { readonly kind: "failure"; readonly reason: string };

type Handler = (event: unknown, context: unknown) => unknown;

/** As in Lambda, environment variables carry the settings of the function. */
const { env } = process;

// Node forwards a worker's output asynchronously: after the result, and not at all if the thread is terminated.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    send({ kind: "log", text: typeof chunk === "string" ? chunk : Buffer.from(chunk).toString() });
    const callback = rest.find((argument) => typeof argument === "function");
    if (callback) queueMicrotask(() => callback());
    return true;
  }) as typeof stream.write;
}

try {
  const handler = await loadHandler();
  parentPort?.on("message", async (invocation: Invocation) => send(await invoke(handler, invocation)));
  send({ kind: "ready" });
} catch (error) {
  send({ kind: "init-failure", reason: inspect(error) });
}

async function loadHandler(): Promise<Handler> {
  const { LAMBDA_TASK_ROOT: directory = "", _HANDLER = "" } = env;
  const [, name = "", exportName = ""] = /^(.*)\.([^.]+)$/.exec(_HANDLER) ?? [];
  const files = [".mjs", ".js", ".cjs"].map((extension) => join(directory, name + extension));
  const file = files.find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`${directory} contains no module ${name}`);
  const module: Record<string, unknown> = await import(pathToFileURL(file).href);
  const handler = module[exportName];
  if (typeof handler !== "function") throw new Error(`${file} exports no function ${exportName}`);
  return handler as Handler;
}

async function invoke(handler: Handler, invocation: Invocation): Promise<WorkerMessage> {
  try {
    const event: unknown = JSON.parse(invocation.payload);
    env._X_AMZN_TRACE_ID = traceIdOf(event);
    const result = await handler(event, contextFor(invocation));
    return { kind: "result", payload: JSON.stringify(result) ?? "null" };
  } catch (error) {
    return { kind: "failure", reason: inspect(error) };
  }
}

/** The context object of the Node.js runtime ("Using the Lambda context object"). */
function contextFor({ requestId, functionArn, deadline }: Invocation) {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionVersion: "$LATEST",
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    invokedFunctionArn: functionArn,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    awsRequestId: requestId,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

function traceIdOf(event: unknown): string {
  const { headers } = event as { readonly headers?: Readonly<Record<string, string>> };
  return headers?.["x-amzn-trace-id"] ?? "";
}

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
