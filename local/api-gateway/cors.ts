/** The CORS settings of an HTTP API, as in the template's `CorsConfiguration`. */
export interface CorsRules {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly allowCredentials: boolean;
  readonly maxAgeSeconds?: number;
}

/** A CORS preflight: what the browser asks before it sends the request itself. */
export interface Preflight {
  readonly origin: string;
  readonly method: string;
}

/**
 * Tells a preflight from an ordinary OPTIONS request (Fetch standard, "CORS-preflight request").
 *
 * @param method the request's method
 * @param headers the request's headers, names in lower case
 * @returns what the preflight asks for, or undefined if it is none
 */
export function readPreflight(
  method: string,
  headers: Readonly<Record<string, string | undefined>>,
): Preflight | undefined {
  const requested = headers["access-control-request-method"];
  if (method !== "OPTIONS" || headers.origin === undefined || requested === undefined) return undefined;
  return { origin: headers.origin, method: requested };
}

/**
 * The headers of the gateway's own 204 answer to a preflight. An origin or a method that the rules do not allow
 * gets none, so that the browser refuses.
 *
 * @param rules the API's CORS settings
 * @param preflight what the browser asks
 * @returns the headers, names in lower case
 */
export function preflightHeaders(rules: CorsRules, preflight: Preflight): Record<string, string> {
  const allowed = rules.allowMethods.includes("*") || rules.allowMethods.includes(preflight.method);
  const origin = originHeaders(rules, preflight.origin);
  if (!allowed || origin === undefined) return {};
  return {
    ...origin,
    ...listHeader("access-control-allow-methods", rules.allowMethods),
    ...listHeader("access-control-allow-headers", rules.allowHeaders),
    ...(rules.maxAgeSeconds === undefined ? {} : { "access-control-max-age": String(rules.maxAgeSeconds) }),
  };
}

/**
 * The headers that the gateway adds to every answer to a cross-origin request.
 *
 * @param rules the API's CORS settings
 * @param origin the request's Origin header, if it has one
 * @returns the headers, names in lower case; none for an origin that the rules do not allow
 */
export function responseHeaders(rules: CorsRules, origin: string | undefined): Record<string, string> {
  const allowed = origin === undefined ? undefined : originHeaders(rules, origin);
  if (allowed === undefined) return {};
  return { ...allowed, ...listHeader("access-control-expose-headers", rules.exposeHeaders) };
}

/**
 * Whether a header belongs to CORS: a gateway with CORS settings ignores these in a function's answer.
 *
 * @param name a header name in lower case
 */
export function isCorsHeader(name: string): boolean {
  return name.startsWith("access-control-");
}

function originHeaders(rules: CorsRules, origin: string): Record<string, string> | undefined {
  const value = rules.allowOrigins.includes("*") ? "*" : matchOrigin(rules.allowOrigins, origin);
  if (value === undefined) return undefined;
  return {
    "access-control-allow-origin": value,
    ...(rules.allowCredentials ? { "access-control-allow-credentials": "true" } : {}),
  };
}

/** Besides whole origins, an HTTP API knows `http://*` and `https://*`. */
function matchOrigin(allowed: readonly string[], origin: string): string | undefined {
  const fits = allowed.some((rule) =>
    rule.endsWith("://*")
      ? origin.startsWith(rule.slice(0, -1))
      : rule.toLowerCase() === origin.toLowerCase(),
  );
  return fits ? origin : undefined;
}

function listHeader(name: string, values: readonly string[]): Record<string, string> {
  return values.length === 0 ? {} : { [name]: values.join(",") };
}
