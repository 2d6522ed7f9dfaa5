import { parseJson } from "../../infra/documentation/parse-json.ts";
import type { ServedRequest } from "../api-gateway/gateway.ts";
import { isObject } from "../json.ts";
import type { LogLine } from "../log.ts";
import type { ShownCall, ShownRequest } from "./model.ts";
import { maskForm, shownBody, shownHead, shownResponse } from "./shown-body.ts";
import { callInput, callResult } from "./shown-call.ts";

/** @param lines of all functions */
export function shownRequest(served: ServedRequest, time: Date, lines: readonly LogLine[]): ShownRequest {
  const [, path = "", query = ""] = /^([^?#]*)([^#]*)/s.exec(served.target) ?? [];
  const { method, rawHeaders: raw, requestBody, statusCode, response } = served;
  const target = path + query.slice(0, 1) + maskForm(query.slice(1));
  const headers = raw.flatMap((name, i) => (i % 2 ? [] : [[name, raw[i + 1] ?? ""]]));
  return {
    id: served.requestId,
    time: time.toISOString(),
    ...{ method, target },
    route: served.routeKey?.replace(/^\S+ /, ""),
    status: statusCode,
    request: {
      head: shownHead(`${method} ${target}`, headers),
      body: requestBody === undefined ? "" : shownBody(requestBody),
    },
    response: {
      head: shownHead(statusCode, Object.entries(response.headers)),
      body: shownResponse(response),
    },
    milliseconds: served.milliseconds,
    start: served.start,
    capacityUnits: served.capacityUnits,
    calls: shownCalls(served),
    lines: lines.filter(({ text }) => text.includes(served.requestId)).map(formatLine),
  };
}

function shownCalls({ calls, startedAt }: ServedRequest): ShownCall[] {
  const ordered = calls.toSorted((a, b) => a.startedAt - b.startedAt);
  return ordered.map((call) => ({
    ...{ milliseconds: call.milliseconds, capacityUnits: call.capacityUnits },
    title: `${call.operation} ${[...new Set(call.resources.map(nameOf))].join(", ")}`,
    input: callInput(call.request),
    result: call.denial ?? `allowed, ${callResult(call)}`,
    isDenied: call.denial !== undefined,
    offset: call.startedAt - startedAt,
  }));
}

/** Without the definition of metrics, which is longer than the rest. */
function formatLine({ source, text }: LogLine): string {
  const entry = parseJson(text);
  return `[${source}] ${isObject(entry) ? JSON.stringify({ ...entry, _aws: undefined }) : text}`;
}

/** The name in an ARN; of a table that CDK named, only what its construct is called. */
function nameOf(arn: string): string {
  return arn.replace(/^.*:(table\/)?/, "").replace(/^[\w-]+-(\w+)Table[0-9A-F]{8}[\w-]*/, "$1");
}
