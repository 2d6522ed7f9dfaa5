import type { APIGatewayProxyEventV2 } from "aws-lambda";

/** A request as it came, free of API Gateway's event but not yet validated. */
export interface RawRequest {
  readonly id: string;
  /** When the gateway received it. */
  readonly time: Date;
  readonly method: string;
  /** Percent-decoded by the gateway. */
  readonly path: string;
  /** Every value of each parameter, in the order sent. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Names in lower case; duplicates joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's bytes; undefined when the request has none. */
  readonly body: Buffer | undefined;
  /** Path and query as the client sent them. */
  readonly target: string;
  /** The same with scheme and host. */
  readonly url: string;
  /** The IP address that the request came from, as the gateway saw it. */
  readonly address: string;
}

/**
 * Reads an HTTP API event, payload format 2.0
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html).
 *
 * The query comes from `rawQueryString`, since `queryStringParameters` joins duplicates with commas and can
 * no longer be told apart. Never throws.
 */
export function readEvent(event: APIGatewayProxyEventV2): RawRequest {
  const { http, requestId, domainName, timeEpoch } = event.requestContext;
  const headers = event.headers as Record<string, string>;
  const scheme = headers["x-forwarded-proto"] ?? "https";
  const target = encodePath(event.rawPath) + (event.rawQueryString === "" ? "" : `?${event.rawQueryString}`);
  return {
    id: requestId,
    time: new Date(timeEpoch),
    method: http.method,
    path: event.rawPath,
    query: readQuery(event.rawQueryString),
    headers,
    body:
      event.body === undefined
        ? undefined
        : Buffer.from(event.body, event.isBase64Encoded ? "base64" : "utf8"),
    target,
    url: `${scheme}://${headers.host ?? domainName}${target}`,
    address: http.sourceIp,
  };
}

function readQuery(text: string): Record<string, string[]> {
  // Without a prototype, so that a parameter named `constructor` is a parameter like any other.
  const query: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    query[name] ??= [];
    query[name].push(value);
  }
  return query;
}

/** The gateway has decoded the path; this is the nearest to what the client sent that can be had again. */
function encodePath(path: string): string {
  return encodeURI(path.toWellFormed()).replace(/[?#]/g, encodeURIComponent);
}
