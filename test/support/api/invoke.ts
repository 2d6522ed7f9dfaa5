import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Context } from "aws-lambda";
import type { HttpHandler } from "../../../lib/http/handler.ts";
import { buildEvent, newRequestId } from "../../../local/api-gateway/event.ts";
import { readTarget } from "../../../local/api-gateway/request.ts";
import { readResponse } from "../../../local/api-gateway/response.ts";
import { ApiClient, type ApiRequest, type Send } from "./client.ts";

export const context = {
  functionName: "in-process",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:in-process",
  awsRequestId: "00000000-0000-0000-0000-000000000000",
  memoryLimitInMB: "1024",
} as Context;

/** Calls a handler with the gateway's event, and reads its response as the gateway does, which throws if it can't. */
export async function invoke(
  handler: HttpHandler,
  request: ApiRequest,
  routeKey: string,
  remainingMs = 20_000,
): ReturnType<Send> {
  const { path, query } = readTarget(request.target) ?? { path: request.target, query: "" };
  const headers = { host: "api.example.com", "accept-encoding": "gzip, deflate, br", ...request.headers };
  const received = {
    ...{ method: request.method, path, query, rawHeaders: Object.entries(headers).flat() },
    ...{ protocol: "HTTP/1.1", sourceIp: "127.0.0.1", port: 443, requestId: newRequestId() },
    ...{ body: Buffer.from(request.body ?? ""), receivedAt: new Date() },
  };
  const event = buildEvent(received, { apiId: "local", routeKey });
  const response = readResponse(
    JSON.stringify(await handler(event, { ...context, getRemainingTimeInMillis: () => remainingMs })),
  );
  if (response === undefined) throw new Error(`${request.method} ${request.target} got a malformed response`);
  return {
    status: response.statusCode,
    headers: new Headers(response.headers),
    text: decoded(response.body, response.headers["content-encoding"]),
  };
}

/** A client of a single function, for tests that need other settings or faults. */
export function clientOf(handler: HttpHandler): ApiClient {
  return new ApiClient((request) => invoke(handler, request, "$default"));
}

/** Decompresses a body as fetch does. */
function decoded(body: Buffer, coding: string | undefined): string {
  // A HEAD has the headers of the body that it does not have.
  if (body.length === 0) return "";
  if (coding === "br") return brotliDecompressSync(body).toString("utf8");
  if (coding === "gzip") return gunzipSync(body).toString("utf8");
  if (coding !== undefined) throw new Error(`The client does not accept ${coding}`);
  return body.toString("utf8");
}
