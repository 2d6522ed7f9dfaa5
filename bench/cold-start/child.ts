/**
 * A fresh process that does what an execution environment does first: it loads a function's code and answers
 * requests. Its arguments are the file and the event; it sends the times in milliseconds.
 */
import { pathToFileURL } from "node:url";

/** Milliseconds. */
export interface ColdStartTimes {
  readonly load: number;
  readonly first: number;
  readonly second: number;
  readonly statusCode: number;
}

const [file = "", event = ""] = process.argv.slice(2);
const context = {
  functionName: "cold-start",
  memoryLimitInMB: "1024",
  awsRequestId: "0",
  invokedFunctionArn: "",
};

async function timed<T>(work: () => Promise<T>): Promise<{ milliseconds: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { milliseconds: performance.now() - started, result };
}

type Handler = (event: unknown, context: unknown) => Promise<{ readonly statusCode: number }>;

const loaded = await timed<{ readonly handler: Handler }>(() => import(pathToFileURL(file).href));
const request = () => loaded.result.handler(JSON.parse(event), context);
const first = await timed(request);
const second = await timed(request);
const times: ColdStartTimes = {
  load: loaded.milliseconds,
  first: first.milliseconds,
  second: second.milliseconds,
  statusCode: first.result.statusCode,
};
process.send?.(times, () => process.exit(0));
