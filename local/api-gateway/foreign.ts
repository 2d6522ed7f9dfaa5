import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

interface Allowed {
  readonly host: string;
  /** Origins, comma-separated, or `*`; undefined for any. */
  readonly origins: string | undefined;
  /** The URL at which a proxy offers the service. */
  readonly address?: string | undefined;
}

/** Says why a request must not reach a developer's data, such as one to a foreign name; undefined if it may. */
export function foreignRequest(request: IncomingMessage, allowed: Allowed): string | undefined {
  const { host = "", origin } = request.headers;
  const name = hostnameOf(`http://${host}`);
  // A request of HTTP/1.0 has no name. An address is no name that a page can resolve to another machine.
  const named = [allowed.host, allowed.address && hostnameOf(allowed.address)];
  const isOwnName = host === "" || isLoopback(name) || isIP(name) !== 0 || named.includes(name);
  if (isLoopback(allowed.host) && !isOwnName)
    return `This service runs for its machine only, not as ${name}: call it as localhost, or set HOST or ADDRESS.`;
  const origins = allowed.origins?.split(",") ?? ["*"];
  if (origin === undefined || origins.includes(origin) || origins.includes("*")) return undefined;
  if (isFromSameOrigin(request) || isLoopback(hostnameOf(origin))) return undefined;
  return `A page of ${origin} may not use this local service: add the origin to CORS_ORIGINS.`;
}

/** Whether a request comes from this machine, to a name of it, and through no proxy (DNS rebinding). */
export function isForOwnMachine({ socket, headers }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const isForwarded = headers["x-forwarded-for"] ?? headers.forwarded ?? headers.via;
  return isLoopback(address) && isLoopback(hostnameOf(`http://${headers.host}`)) && !isForwarded;
}

/** Whether a request comes from a page of this server, or opens one, or from a program such as curl. */
export function isFromOwnPage(request: IncomingMessage): boolean {
  const { method, headers } = request;
  const { origin, "sec-fetch-site": site, "sec-fetch-dest": destination } = headers;
  if (method !== "GET" || origin !== undefined) return isFromSameOrigin(request);
  return destination === "document" || [undefined, "same-origin", "none"].includes(site?.toString());
}

function isFromSameOrigin({ headers }: IncomingMessage): boolean {
  return headers.origin === `http://${headers.host}`;
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : "";
}

function isLoopback(name: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|::1)$/.test(name);
}
