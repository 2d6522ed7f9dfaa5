/** Loads a function's code and handles requests. Arguments: the file of the bundle, and the event as JSON. */
import { pathToFileURL } from "node:url";

/** Times in milliseconds. */
export interface ColdStartTimes {
  /** Loading the code, with the first request that it makes itself. */
  readonly init: number;
  /** The first request of a client. */
  readonly first: number;
  /** From the start of the process to its response. */
  readonly answered: number;
  /** The CPU time of the process until then. */
  readonly cpu: number;
  /** The next request. */
  readonly second: number;
  readonly statusCode: number;
}

const [file = "", event = ""] = process.argv.slice(2);
const context = {
  functionName: "cold-start",
  memoryLimitInMB: "1024",
  awsRequestId: "0",
  invokedFunctionArn: "",
  getRemainingTimeInMillis: () => 20_000,
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
const answered = performance.now();
const { userCPUTime, systemCPUTime } = process.resourceUsage();
const second = await time(request);
const times: ColdStartTimes = {
  init: loaded.milliseconds,
  first: first.milliseconds,
  answered,
  cpu: (userCPUTime + systemCPUTime) / 1_000,
  second: second.milliseconds,
  statusCode: first.result.statusCode,
};
process.send?.(times, () => process.exit(0));
