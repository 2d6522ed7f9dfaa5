/**
 * Does what a new execution environment does: loads a function's code and handles requests. Arguments: the file of the
 * bundle, and the event as JSON. Sends `ColdStartTimes` to the parent.
 */
import { pathToFileURL } from "node:url";

/** Times in milliseconds. */
export interface ColdStartTimes {
  readonly load: number;
  /** The first request and the next one. */
  readonly first: number;
  readonly second: number;
  readonly statusCode: number;
}

const [file = "", event = ""] = process.argv.slice(2);
const context = {
  functionName: "cold-start",
  memoryLimitInMB: "1024",
  awsRequestId: "0",
  getRemainingTimeInMillis: () => 20_000,
  invokedFunctionArn: "",
};

async function time<T>(work: () => Promise<T>): Promise<{ milliseconds: number; result: T }> {
  const startedAt = performance.now();
  const result = await work();
  return { milliseconds: performance.now() - startedAt, result };
}

type Handler = (event: unknown, context: unknown) => Promise<{ readonly statusCode: number }>;

const loaded = await time<{ readonly handler: Handler }>(() => import(pathToFileURL(file).href));
const request = () => loaded.result.handler(JSON.parse(event), context);
const first = await time(request);
const second = await time(request);
const times: ColdStartTimes = {
  load: loaded.milliseconds,
  first: first.milliseconds,
  second: second.milliseconds,
  statusCode: first.result.statusCode,
};
process.send?.(times, () => process.exit(0));
