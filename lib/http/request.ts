import type { APIGatewayProxyEventV2 } from "aws-lambda";

/** Path and query of a request, percent-encoded. */
export class RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;

  constructor(path: string, query: URLSearchParams) {
    this.path = path;
    this.query = query;
  }

  /** The same target with some parameters set, or removed if undefined, and the others kept in their order. */
  with(parameters: Readonly<Record<string, string | undefined>>): string {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(parameters))
      value === undefined ? query.delete(name) : query.set(name, value);
    return query.size === 0 ? this.path : `${this.path}?${query}`;
  }
}

/** A request before validation, free of API Gateway's event. */
export interface RawRequest {
  readonly id: string;
  /** When the gateway received it. */
  readonly time: Date;
  readonly method: string;
  /** Percent-decoded by the gateway. */
  readonly path: string;
  /** Names in lower case; duplicates joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the request has no body. */
  readonly body: Buffer | undefined;
  /** Scheme and host. */
  readonly origin: string;
  readonly target: RequestTarget;
  /** The query as the client sent it, without the question mark. */
  readonly rawQuery: string;
  /** The client's IP address, as the gateway saw it. */
  readonly address: string;
}

/**
 * Reads an HTTP API event, payload format 2.0
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html).
 * Never throws.
 */
export function readEvent(event: APIGatewayProxyEventV2): RawRequest {
  const { http, requestId, domainName, timeEpoch } = event.requestContext;
  const headers = event.headers as Record<string, string>;
  return {
    id: requestId,
    time: new Date(timeEpoch),
    method: http.method,
    path: event.rawPath,
    headers,
    body:
      event.body === undefined
        ? undefined
        : Buffer.from(event.body, event.isBase64Encoded ? "base64" : "utf8"),
    origin: `${headers["x-forwarded-proto"] ?? "https"}://${headers.host ?? domainName}`,
    // `queryStringParameters` joins duplicates with commas, so that they cannot be told apart.
    target: new RequestTarget(encodePath(event.rawPath), new URLSearchParams(event.rawQueryString)),
    rawQuery: event.rawQueryString,
    address: http.sourceIp,
  };
}

/** The request's URL as the client sent it. Without its query if that carries secrets. */
export function urlOf({ origin, target, rawQuery }: RawRequest, hasSecretQuery = false): string {
  return origin + target.path + (rawQuery === "" || hasSecretQuery ? "" : `?${rawQuery}`);
}

/** Encodes the path that the gateway has decoded, as nearly as the client sent it as possible. */
function encodePath(path: string): string {
  return encodeURI(path.toWellFormed()).replace(/[?#]/g, encodeURIComponent);
}
