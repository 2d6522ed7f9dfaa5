import type { ServedRequest } from "../api-gateway/gateway.ts";
import type { AwsCall } from "../aws/credentials.ts";
import type { LogLine } from "../log.ts";
import type { ShownCall, ShownRequest } from "./model.ts";
import { maskForm, shownBody, shownHeaders, shownResponse } from "./shown-body.ts";
import { callInput, callResult } from "./shown-call.ts";

/** @param lines of all functions */
export function shownRequest(served: ServedRequest, time: Date, lines: readonly LogLine[]): ShownRequest {
  const [, path = "", query = ""] = /^([^?#]*)([^#]*)/s.exec(served.target) ?? [];
  const headers = served.rawHeaders;
  return {
    id: served.requestId,
    time: time.toISOString(),
    method: served.method,
    target: path + query.slice(0, 1) + maskForm(query.slice(1)),
    route: served.routeKey?.replace(/^\S+ /, ""),
    status: served.statusCode,
    requestHeaders: shownHeaders(headers.flatMap((name, i) => (i % 2 ? [] : [[name, headers[i + 1] ?? ""]]))),
    responseHeaders: shownHeaders(Object.entries(served.response.headers)),
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
    const { operation, milliseconds, capacityUnits, statusCode, denial } = call;
    const before = ordered.filter((other) => other.startedAt + other.milliseconds <= call.startedAt);
    const round = 1 + Math.max(0, ...before.map((other) => rounds.get(other) ?? 0));
    rounds.set(call, round);
    return {
      ...{ operation, milliseconds, capacityUnits, statusCode, round },
      targets: [...new Set(call.resources.map(nameOf))],
      input: callInput(call.request),
      result: callResult(call),
      offset: call.startedAt - startedAt,
      ...(denial !== undefined && { denial }),
    };
  });
}

/** The name in an ARN; of a table that CDK named, only what its construct is called. */
function nameOf(arn: string): string {
  return arn.replace(/^.*:(table\/)?/, "").replace(/^[\w-]+-(\w+)Table[0-9A-F]{8}[\w-]*/, "$1");
}
