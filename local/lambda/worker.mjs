/* The thread of an execution environment. In JavaScript: Node's compiler for TypeScript takes 9 MB. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { parentPort } from "node:worker_threads";

/** As in Lambda, environment variables carry the settings of the function. */
const { env } = process;

/** @param {import("./execution-environment.ts").WorkerMessage} message */
const send = (message) => parentPort?.postMessage(message);

// Node forwards a worker's output after the result, and not at all if the thread is terminated.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk, ...rest) => {
    send({ kind: "log", text: typeof chunk === "string" ? chunk : Buffer.from(chunk).toString() });
    const callback = rest.find((argument) => typeof argument === "function");
    if (callback) queueMicrotask(() => callback());
    return true;
  };
}

try {
  const handler = await loadHandler();
  parentPort?.on("message", async (invocation) => send(await invoke(handler, invocation)));
  send({ kind: "result", payload: "" });
} catch (error) {
  send({ kind: "failure", reason: inspect(error) });
}

async function loadHandler() {
  const { LAMBDA_TASK_ROOT: directory = "", _HANDLER = "" } = env;
  const [name, exportName = ""] = _HANDLER.split(".");
  const file = join(directory, `${name}.mjs`);
  const { [exportName]: handler } = await import(pathToFileURL(file).href);
  if (typeof handler !== "function") throw new Error(`${file} exports no function ${exportName}`);
  return handler;
}

/** @param {import("./execution-environment.ts").Invocation} invocation */
async function invoke(handler, invocation) {
  try {
    const event = JSON.parse(invocation.payload);
    env._X_AMZN_TRACE_ID = event.headers?.["x-amzn-trace-id"] ?? "";
    const result = await handler(event, contextFor(invocation));
    return { kind: "result", payload: JSON.stringify(result) ?? "null" };
  } catch (error) {
    return { kind: "failure", reason: inspect(error) };
  }
}

function contextFor({ requestId, functionArn, deadline }) {
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
