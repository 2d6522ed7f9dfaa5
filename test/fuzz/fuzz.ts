import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { statusByCode } from "../../lib/http/errors.ts";
import type { HttpHandler } from "../../lib/http/handler.ts";
import { readResponse } from "../../local/api-gateway/response.ts";
import { context } from "../support/api/invoke.ts";
import type { FuzzEvent } from "./events.ts";

/** The longest time on a processor for one event; other threads that hash passwords do not count. */
const MAX_CPU_MS = 200;
/** How much memory may grow between a fifth of the events and the end. */
const MAX_GROWTH_BYTES = 32 * 1024 * 1024;
/** The gateway's limit for the headers of a response. */
const MAX_HEAD_BYTES = 10_240;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/**
 * Sends events to handlers, one after the other, and checks that the gateway can send each response, and that it is no
 * server error and does not take long.
 *
 * @param reset called after some thousand events, so that the tables stay small
 */
export async function fuzz(
  count: number,
  eventAt: (number: number) => FuzzEvent,
  handlerOf: (folder: string) => Promise<HttpHandler>,
  reset: () => Promise<void>,
) {
  const violations: string[] = [];
  /** How many responses had each status. */
  const statuses: Record<string, number> = {};
  let memory = 0;
  for (let number = 0; number < count; number += 1) {
    if (number > 0 && number % 5_000 === 0) await reset();
    if (number === Math.floor(count / 5)) memory = usedMemory();
    const fuzzEvent = eventAt(number);
    const { violation, status } = await sendTimed(fuzzEvent, await handlerOf(fuzzEvent.folder));
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (violation)
      violations.push(`event ${number} of ${fuzzEvent.folder} ${violation}: ${textOf(fuzzEvent)}`);
  }
  const growthBytes = usedMemory() - memory;
  if (growthBytes > MAX_GROWTH_BYTES) violations.push(`The memory has grown by ${growthBytes} bytes`);
  return { violations, statuses };
}

/** Sends an event, and repeats it if it was slow: the first time includes compilation and, by chance, garbage collection. */
async function sendTimed({ event }: FuzzEvent, handler: HttpHandler) {
  let { violation, status, cpuMs } = await send(event, handler);
  for (let i = 0; i < 2 && cpuMs > MAX_CPU_MS; i += 1)
    cpuMs = Math.min(cpuMs, (await send(event, handler)).cpuMs);
  if (cpuMs > MAX_CPU_MS) violation ??= `took ${Math.round(cpuMs)} ms`;
  return { violation, status };
}

async function send(event: FuzzEvent["event"], handler: HttpHandler) {
  const before = process.threadCpuUsage();
  let status = "thrown";
  let violation: string | undefined;
  try {
    const result = await handler(event, { ...context, getRemainingTimeInMillis: () => 20_000 });
    status = String(result.statusCode);
    const response = readResponse(JSON.stringify(result));
    const head = JSON.stringify(result.headers).length;
    const isDemonstration = event.rawPath.startsWith("/errors/");
    if (response === undefined) violation = "gave the gateway a malformed response";
    else if (status === String(statusByCode.InternalServerError) && !isDemonstration) violation = "got a 500";
    else if (head > MAX_HEAD_BYTES) violation = `has ${head} bytes of headers`;
  } catch (error) {
    violation = `threw ${error}`;
  }
  const { user, system } = process.threadCpuUsage(before);
  return { status, violation, cpuMs: (user + system) / 1_000 };
}

function usedMemory(): number {
  // The second collection waits until another thread has freed the buffers of the first.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function textOf({ event }: FuzzEvent): string {
  const { rawPath, rawQueryString, headers, body, isBase64Encoded, requestContext } = event;
  const { method } = requestContext.http;
  return JSON.stringify({ method, rawPath, rawQueryString, headers, body, isBase64Encoded }).slice(0, 1_500);
}
