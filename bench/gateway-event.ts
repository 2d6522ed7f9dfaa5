import { buildEvent, newRequestId } from "../local/api-gateway/event.ts";

/** The event that a function gets for a request with a JSON body, or without one. */
export function gatewayEvent(
  method: string,
  target: string,
  body: unknown,
  { headers = {}, sourceIp = "127.0.0.1" }: { headers?: Record<string, string>; sourceIp?: string } = {},
) {
  const [path = "", query = ""] = target.split("?");
  const request = {
    method,
    path,
    query,
    rawHeaders: ["host", "localhost", "content-type", "application/json", ...Object.entries(headers).flat()],
    body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
    protocol: "HTTP/1.1",
    sourceIp,
    port: 443,
    receivedAt: new Date(),
    requestId: newRequestId(),
  };
  return buildEvent(request, { apiId: "bench", routeKey: "$default" });
}
