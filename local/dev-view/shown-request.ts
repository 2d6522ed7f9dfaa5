import type { ServedRequest } from "../api-gateway/gateway.ts";
import type { LogLine } from "../log.ts";
import { formatLine, readEntry } from "../log-entry.ts";
import type { ShownRequest } from "./model.ts";
import { decodedBody, maskForm, shownBody, shownHead } from "./shown-body.ts";
import { callInput, callResult } from "./shown-call.ts";

export interface KeptRequest {
  readonly served: ServedRequest;
  readonly shown: ShownRequest;
}

export function shownRequest(served: ServedRequest, time: Date, lines: readonly LogLine[]): ShownRequest {
  const { requestId: id, rawHeaders, requestBody, response, startedAt, routeKey, ...rest } = served;
  const { method, statusCode: status, milliseconds, capacityUnits, start } = rest;
  const [, path = "", query = ""] = /^([^?#]*)([^#]*)/s.exec(rest.target) ?? [];
  const target = path + query.slice(0, 1) + maskForm(query.slice(1));
  const headers = rawHeaders.flatMap((name, i) => (i % 2 ? [] : [[name, rawHeaders[i + 1] ?? ""]]));
  const body = requestBody === undefined ? "" : shownBody(requestBody);
  const responseBody = shownBody(decodedBody(response));
  const own = lines.filter(({ text }) => text.includes(id));
  return {
    ...{ id, method, target, status, milliseconds, capacityUnits },
    ...(start && { start }),
    time: time.toISOString(),
    ...handledBy(own, routeKey),
    request: { id, head: shownHead(`${method} ${target}`, headers), body },
    response: { head: shownHead(status, Object.entries(response.headers)), body: responseBody },
    calls: rest.calls
      .toSorted((a, b) => a.startedAt - b.startedAt)
      .map((call) => ({
        ...{ milliseconds: call.milliseconds, capacityUnits: call.capacityUnits },
        title: `${call.operation} ${[...new Set(call.resources.map(nameOf))].join(", ")}`,
        input: callInput(call.request),
        result: call.denial ?? `allowed, ${callResult(call)}`,
        isDenied: call.denial !== undefined,
        offset: call.startedAt - startedAt,
      })),
    lines: own.map(formatLine),
  };
}

/** For API Gateway the route of `POST /users/` is that of `/users`: the function's log names the one that counts. */
function handledBy(lines: readonly LogLine[], routeKey: string | undefined) {
  const entries = lines.map(({ text }) => readEntry(text)?.entry);
  const { route = routeKey, service } = entries.find((entry) => entry?.route) ?? {};
  return {
    ...(/^\S+ \/(?!\{proxy\+\})/.test(String(route)) && { route: String(route) }),
    ...(service !== undefined && { function: String(service) }),
  };
}

/** The name in an ARN; of a table that CDK named, only what its construct is called. */
function nameOf(arn: string): string {
  return arn.replace(/^.*:(table\/)?/, "").replace(/^[\w-]+-(\w+)Table[0-9A-F]{8}[\w-]*/, "$1");
}
