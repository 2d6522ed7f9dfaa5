import type { CorsConfiguration } from "../stack/model.ts";

/** A CORS preflight: a browser asks whether it may send a request. */
interface Preflight {
  readonly origin: string;
  readonly method: string;
  /** The names of the headers that it would send, in lower case. */
  readonly headers: readonly string[];
}

/**
 * Recognizes a preflight (Fetch standard, "CORS-preflight request").
 *
 * @param headers names in lower case
 * @returns undefined for any other request
 */
export function readPreflight(
  method: string,
  headers: Readonly<Record<string, string | undefined>>,
): Preflight | undefined {
  const requested = headers["access-control-request-method"];
  if (method !== "OPTIONS" || headers.origin === undefined || requested === undefined) return undefined;
  const names = (headers["access-control-request-headers"] ?? "").toLowerCase().split(/[,\s]+/);
  return { origin: headers.origin, method: requested, headers: names.filter((name) => name !== "") };
}

/** @returns why a browser will not send the request, and the setting that allows it; undefined if it will */
export function explainRefusal(cors: CorsConfiguration, preflight: Preflight): string | undefined {
  const { origin, method, headers } = preflight;
  if (originHeaders(cors, origin) === undefined)
    return `A page of ${origin} may not use this service: add the origin to CORS_ORIGINS.`;
  const isMissing = (names: readonly string[], name: string) =>
    !names.some((each) => each === "*" || each.toLowerCase() === name.toLowerCase());
  const refused = [
    ...(isMissing(cors.allowMethods, method) ? [`the method ${method}`] : []),
    ...headers.filter((name) => isMissing(cors.allowHeaders, name)).map((name) => `the header ${name}`),
  ];
  if (refused.length === 0) return undefined;
  return `A page of ${origin} may not send ${refused.join(", ")}: start with CORS_BROWSER_CLIENTS=1 to allow all of the API's.`;
}

/**
 * The headers of the gateway's 204 response to a preflight. An origin or method that is not allowed gets no headers, so
 * the browser refuses to send the request.
 *
 * @returns names in lower case
 */
export function preflightHeaders(cors: CorsConfiguration, preflight: Preflight): Record<string, string> {
  const allowed = cors.allowMethods.includes("*") || cors.allowMethods.includes(preflight.method);
  const origin = originHeaders(cors, preflight.origin);
  if (!allowed || origin === undefined) return {};
  return {
    ...origin,
    ...listHeader("access-control-allow-methods", cors.allowMethods),
    ...listHeader("access-control-allow-headers", cors.allowHeaders),
    ...(cors.maxAgeSeconds === undefined ? {} : { "access-control-max-age": String(cors.maxAgeSeconds) }),
  };
}

/**
 * The headers that the gateway adds to the response to a cross-origin request.
 *
 * @param origin the request's `Origin` header
 * @returns names in lower case; empty if the origin is not allowed
 */
export function corsResponseHeaders(
  cors: CorsConfiguration,
  origin: string | undefined,
): Record<string, string> {
  const allowed = origin === undefined ? undefined : originHeaders(cors, origin);
  if (allowed === undefined) return {};
  return { ...allowed, ...listHeader("access-control-expose-headers", cors.exposeHeaders) };
}

function originHeaders(cors: CorsConfiguration, origin: string): Record<string, string> | undefined {
  const value = cors.allowOrigins.includes("*") ? "*" : matchOrigin(cors.allowOrigins, origin);
  if (value === undefined) return undefined;
  return {
    "access-control-allow-origin": value,
    ...(value === "*" ? {} : { vary: "origin" }),
    ...(cors.allowCredentials ? { "access-control-allow-credentials": "true" } : {}),
  };
}

/** An HTTP API allows whole origins, `http://*` and `https://*`. */
function matchOrigin(allowed: readonly string[], origin: string): string | undefined {
  const isAllowed = allowed.some((entry) =>
    entry.endsWith("://*")
      ? origin.startsWith(entry.slice(0, -1))
      : entry.toLowerCase() === origin.toLowerCase(),
  );
  return isAllowed ? origin : undefined;
}

function listHeader(name: string, values: readonly string[]): Record<string, string> {
  return values.length === 0 ? {} : { [name]: values.join(",") };
}
