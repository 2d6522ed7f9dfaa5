import { defaultSize } from "../../functions/define-area.ts";
import { definitions } from "../../functions/definitions.ts";
import type { ApiRequest } from "../../test/support/api/client.ts";
import { measurements } from "../costs/measurements.ts";
import { countOf, filledTableOf } from "./records.ts";

/** A request of the benchmark, and its area's table. */
const requests = Object.entries(measurements).flatMap(([area, { growth = [] }]) =>
  growth.map((line) => ({ line, area, table: filledTableOf(area) })),
);

/** Memory with which a function has one vCPU. */
const VCPU_MEGABYTES = 1_769;

/** The milliseconds of CPU that the function of a request has until its time-out. */
export function cpuMsUntilTimeout(line: string): number {
  const area = requests.find((request) => request.line === line)?.area ?? "";
  const { memoryMegabytes, timeoutSeconds } = definitions[area]?.size ?? defaultSize;
  return timeoutSeconds * 1_000 * Math.min(1, memoryMegabytes / VCPU_MEGABYTES);
}

/** Every list, page, filter, sort, search and count. */
export const growthRequests: readonly string[] = requests.map(({ line }) => line);

/** The request of a line, with the number of the last page of ten records. */
export function requestOf(line: string, size: number, headers: Readonly<Record<string, string>>): ApiRequest {
  const [, method = "", target = "", body] = /^(\w+) (\S+)(?: (.*))?$/.exec(line) ?? [];
  const table = requests.find((request) => request.line === line)?.table ?? "";
  return {
    method,
    target: target.replace("{last}", String(Math.ceil(countOf(table, size) / 10))),
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body }),
  };
}
