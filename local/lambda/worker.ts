import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { parentPort, workerData } from "node:worker_threads";

/** What a worker is told when it starts. */
export interface WorkerStart {
  /** The file that exports the handler. */
  readonly file: string;
  /** The handler's name in it. */
  readonly exportName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMegabytes: number;
  readonly logGroupName: string;
  readonly logStreamName: string;
}

/** A request to the function. */
export interface Invocation {
  /** The event as JSON. */
  readonly payload: string;
  readonly requestId: string;
  /** When the function's time is over, in milliseconds since the epoch. */
  readonly deadline: number;
}

/** What a worker says. */
export type WorkerMessage =
  | { readonly kind: "log"; readonly text: string }
  | { readonly kind: "ready" }
  /** The module can't be loaded; the worker is of no use. */
  | { readonly kind: "unusable"; readonly reason: string }
  /** What the handler returned, as JSON. */
  | { readonly kind: "result"; readonly payload: string }
  /** The handler threw, or returned what JSON can't hold. */
  | { readonly kind: "failure"; readonly reason: string };

type Handler = (event: unknown, context: unknown) => unknown;

const start = workerData as WorkerStart;

// Node would pass the output on in its own time: after the answer, and not at all when the thread is stopped.
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
  send({ kind: "unusable", reason: inspect(error) });
}

async function loadHandler(): Promise<Handler> {
  const module: Record<string, unknown> = await import(pathToFileURL(start.file).href);
  const handler = module[start.exportName];
  if (typeof handler !== "function") throw new Error(`${start.file} exports no function ${start.exportName}`);
  return handler as Handler;
}

async function invoke(handler: Handler, invocation: Invocation): Promise<WorkerMessage> {
  try {
    const event: unknown = JSON.parse(invocation.payload);
    process.env._X_AMZN_TRACE_ID = traceIdOf(event);
    const result = await handler(event, contextFor(invocation));
    return { kind: "result", payload: JSON.stringify(result) ?? "null" };
  } catch (error) {
    return { kind: "failure", reason: inspect(error) };
  }
}

/** The context object of the Node.js runtime ("Using the Lambda context object"). */
function contextFor({ requestId, deadline }: Invocation) {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionVersion: "$LATEST",
    functionName: start.functionName,
    invokedFunctionArn: start.functionArn,
    memoryLimitInMB: String(start.memoryMegabytes),
    logGroupName: start.logGroupName,
    logStreamName: start.logStreamName,
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
