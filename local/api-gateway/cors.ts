import type { CorsConfiguration } from "../stack/model.ts";

interface Preflight {
  readonly origin: string;
  readonly method: string;
  readonly headers: readonly string[];
}

/** Recognizes a preflight (Fetch standard, "CORS-preflight request"). Names of headers are in lower case. */
export function readPreflight(method: string, headers: Readonly<Record<string, string | undefined>>) {
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
  const allowed = [...cors.AllowMethods, ...cors.AllowHeaders].map((name) => name.toLowerCase());
  const refused = [method, ...headers].filter((name) => !allowed.includes(name.toLowerCase()));
  if (refused.length === 0) return undefined;
  return `A page of ${origin} may not send ${refused.join(", ")}: start with CORS_BROWSER_CLIENTS=1 to allow all of the API's.`;
}

/** An origin or method that is not allowed gets no headers, so the browser refuses to send the request. */
export function preflightHeaders(cors: CorsConfiguration, { method, origin }: Preflight) {
  const headers = originHeaders(cors, origin);
  if (!cors.AllowMethods.includes(method) || headers === undefined) return {};
  return {
    ...headers,
    "access-control-allow-methods": cors.AllowMethods.join(","),
    "access-control-allow-headers": cors.AllowHeaders.join(","),
    "access-control-max-age": String(cors.MaxAge),
  };
}

/** @returns undefined if the request is not cross-origin, or if its origin is not allowed */
export function corsResponseHeaders(
  cors: CorsConfiguration,
  origin: string | undefined,
): Record<string, string> | undefined {
  const headers = originHeaders(cors, origin);
  const exposed = cors.ExposeHeaders?.join(",");
  return headers && { ...headers, ...(exposed && { "access-control-expose-headers": exposed }) };
}

function originHeaders(
  { AllowOrigins: allowed }: CorsConfiguration,
  origin: string | undefined,
): Record<string, string> | undefined {
  if (origin === undefined) return undefined;
  if (allowed.includes("*")) return { "access-control-allow-origin": "*" };
  return allowed.includes(origin) ? { "access-control-allow-origin": origin, vary: "origin" } : undefined;
}
