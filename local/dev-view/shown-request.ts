import type { ServedRequest } from "../api-gateway/gateway.ts";
import type { AwsCall } from "../aws/credentials.ts";
import type { LogLine } from "../log.ts";
import type { ShownCall, ShownRequest } from "./model.ts";
import { shownBody, shownResponse } from "./shown-body.ts";

/** @param lines of all functions */
export function shownRequest(served: ServedRequest, time: Date, lines: readonly LogLine[]): ShownRequest {
  return {
    id: served.requestId,
    time: time.toISOString(),
    method: served.method,
    path: served.target.replace(/[?#].*$/s, ""),
    route: served.routeKey?.replace(/^\S+ /, ""),
    status: served.statusCode,
    requestBody: served.requestBody === undefined ? "" : shownBody(served.requestBody),
    responseBody: shownResponse(served.response),
    milliseconds: served.milliseconds,
    start: served.start,
    capacityUnits: served.capacityUnits,
    calls: shownCalls(served),
    lines: lines.filter(({ text }) => text.includes(served.requestId)),
  };
}

function shownCalls({ calls, startedAt }: ServedRequest): ShownCall[] {
  const ordered = calls.toSorted((a, b) => a.startedAt - b.startedAt);
  const rounds = new Map<AwsCall, number>();
  return ordered.map((call) => {
    const before = ordered.filter((other) => other.startedAt + other.milliseconds <= call.startedAt);
    const round = 1 + Math.max(0, ...before.map((other) => rounds.get(other) ?? 0));
    rounds.set(call, round);
    const targets = [...new Set(call.resources.map(nameOf))];
    return { ...call, targets, offset: call.startedAt - startedAt, round };
  });
}

/** The name in an ARN; of a table that CDK named, only what its construct is called. */
function nameOf(arn: string): string {
  return arn.replace(/^.*:(table\/)?/, "").replace(/^[\w-]+-(\w+)Table[0-9A-F]{8}[\w-]*/, "$1");
}
