import type { IncomingMessage } from "node:http";
import { readBody } from "../read-body.ts";
import type { GatewayRequest } from "./event.ts";
import { errorResponse } from "./response.ts";

/** The HTTP API's limit for the request line and all headers, in bytes. */
const headLimitBytes = 10_240;

const bodyLimitBytes = 10 * 1024 * 1024;

/**
 * Reads a request to its end, so that the client receives the response even if the body is too large.
 * @returns the request, or the error response for an invalid one @throws {Error} if the client disconnects
 */
export async function readRequest(request: IncomingMessage, requestId: string) {
  const receivedAt = new Date();
  const body = await readBody(request, bodyLimitBytes);
  if (headSize(request) > headLimitBytes) return errorResponse(431, "Request Header Fields Too Large");
  if (body === undefined) return errorResponse(413, "Request Entity Too Large");
  const target = readTarget(request.url ?? "");
  const hosts = request.headersDistinct.host ?? [];
  if (target === undefined || hosts.length > 1) return errorResponse(400, "Bad Request");
  return {
    ...target,
    method: request.method ?? "",
    rawHeaders: request.rawHeaders,
    body,
    protocol: `HTTP/${request.httpVersion}`,
    sourceIp: (request.socket.remoteAddress ?? "").replace(/^::ffff:/, ""),
    port: request.socket.localPort ?? 0,
    receivedAt,
    requestId,
  };
}

/**
 * Splits a request's target, in origin or absolute form. A percent-encoded question mark ends the path
 * (docs/adr/0001).
 * @returns undefined if the target has no path or is not percent-encoded UTF-8
 */
export function readTarget(target: string): Pick<GatewayRequest, "path" | "query"> | undefined {
  const local = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  const mark = local.indexOf("?");
  const path = mark < 0 ? local : local.slice(0, mark);
  const query = mark < 0 ? "" : local.slice(mark + 1);
  if (path === "" && local !== target) return { path: "/", query };
  if (!path.startsWith("/")) return undefined;
  try {
    const [decoded = ""] = decodeURIComponent(path).split("?");
    return { path: decoded, query };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function headSize(request: IncomingMessage): number {
  const line = `${request.method} ${request.url} HTTP/${request.httpVersion}\r\n`.length;
  return request.rawHeaders.reduce((sum, part) => sum + part.length + 2, line);
}
