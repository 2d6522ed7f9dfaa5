import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { localAccount } from "../stack/arn.ts";

export interface GatewayRequest {
  readonly method: string;
  /** The path, percent-decoded, up to the first question mark. */
  readonly path: string;
  readonly query: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly protocol: string;
  readonly sourceIp: string;
  readonly port: number;
  readonly receivedAt: Date;
  readonly requestId: string;
}

interface RouteContext {
  readonly apiId: string;
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>> | undefined;
}

/** Hop-by-hop headers, which the gateway does not forward. */
const connectionHeaders = new Set([
  ...["connection", "keep-alive", "proxy-connection", "transfer-encoding"],
  ...["te", "trailer", "upgrade", "expect"],
]);

/** Builds an event in payload format 2.0 ("Working with AWS Lambda proxy integrations for HTTP APIs"). */
export function buildEvent(request: GatewayRequest, context: RouteContext) {
  const { headers, cookies } = readHeaders(request);
  const query = readQuery(request.query);
  const host = headers.host ?? "localhost";
  const domainName = host.replace(/:\d+$/, "");
  return {
    version: "2.0",
    routeKey: context.routeKey,
    rawPath: request.path,
    rawQueryString: request.query,
    ...(cookies.length === 0 ? {} : { cookies }),
    headers,
    ...(query === undefined ? {} : { queryStringParameters: query }),
    requestContext: {
      accountId: localAccount,
      apiId: context.apiId,
      domainName,
      domainPrefix: domainName.split(".")[0] ?? domainName,
      http: {
        method: request.method,
        path: request.path,
        protocol: request.protocol,
        sourceIp: request.sourceIp,
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: request.requestId,
      routeKey: context.routeKey,
      stage: "$default",
      time: commonLogTime(request.receivedAt),
      timeEpoch: request.receivedAt.getTime(),
    },
    ...(context.pathParameters === undefined ? {} : { pathParameters: context.pathParameters }),
    ...encodeBody(request.body, headers["content-type"]),
  };
}

/** @returns a request id in API Gateway's form: 16 characters that end with an equals sign */
export function newRequestId(): string {
  return Buffer.from(randomHex(22), "hex").toString("base64");
}

function readHeaders(request: GatewayRequest) {
  const headers: Record<string, string> = Object.create(null);
  const cookies: string[] = [];
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = (request.rawHeaders[at] ?? "").toLowerCase();
    const value = request.rawHeaders[at + 1] ?? "";
    if (name === "cookie") cookies.push(...value.split(/;\s*/).filter((cookie) => cookie !== ""));
    else if (!connectionHeaders.has(name)) append(headers, name, value);
  }
  if (request.body.length > 0) headers["content-length"] = String(request.body.length);
  append(headers, "x-forwarded-for", request.sourceIp);
  headers["x-forwarded-port"] = String(request.port);
  headers["x-forwarded-proto"] = "http";
  headers["x-amzn-trace-id"] ??= newTraceId(request.receivedAt);
  return { headers, cookies };
}

function readQuery(query: string): Record<string, string> | undefined {
  const parameters: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) append(parameters, name, value);
  return Object.keys(parameters).length === 0 ? undefined : parameters;
}

function append(into: Record<string, string>, name: string, value: string): void {
  const before = into[name];
  into[name] = before === undefined ? value : `${before},${value}`;
}

function encodeBody(body: Buffer, contentType: string | undefined) {
  if (body.length === 0) return { isBase64Encoded: false };
  // JSON can't represent invalid UTF-8.
  const isText = isTextType(contentType) && isUtf8(body);
  return { body: body.toString(isText ? "utf8" : "base64"), isBase64Encoded: !isText };
}

/** Types such as `application/problem+json` are not among them (docs/adr/0001). */
function isTextType(contentType: string | undefined): boolean {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return /^text\/|^application\/(json|xml|javascript)$/.test(type);
}

/** The common log format, such as `12/Mar/2020:19:03:58 +0000`. */
function commonLogTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}

function newTraceId(date: Date): string {
  const seconds = Math.floor(date.getTime() / 1000).toString(16);
  return `Root=1-${seconds}-${randomHex(24)}`;
}

/** Digits of a UUID: Node keeps some in stock, and `randomBytes` takes four times as long. */
function randomHex(digits: number): string {
  return randomUUID().replaceAll("-", "").slice(0, digits);
}
