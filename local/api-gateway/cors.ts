import type { CorsConfiguration } from "../stack/model.ts";

/** An origin or method that is not allowed gets no headers, so the browser refuses to send the request. */
export function preflightHeaders(cors: CorsConfiguration, origin: string, method: string) {
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
