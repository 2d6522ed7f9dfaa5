import { hash } from "node:crypto";
import { ApiError } from "../domain/errors.ts";

export const PROXY_SECRET_HEADER = "x-proxy-secret";

type Headers = Readonly<Record<string, string>>;

/** The URL at which clients reach the API, without a slash at its end: the deployment's, or that of the request. */
export function publicAddress(headers: Headers, domainName: string | null | undefined): string {
  const host = headers.host ?? domainName ?? "localhost";
  return process.env.ADDRESS || `${headers["x-forwarded-proto"] ?? "https"}://${host}`;
}

/** @returns undefined if the deployment has no proxy */
function hasProxySecret(headers: Headers): boolean | undefined {
  const hashes = process.env.PROXY_SECRET_HASHES;
  return hashes?.split(",").includes(hash("sha256", headers[PROXY_SECRET_HEADER] ?? ""));
}

const ADDRESS = /^(?:([\d.]{7,15})(?::\d+)?|\[?([\da-f.]*:[\da-f:.]+)(?:\](?::\d+)?)?)$/i;

/** The address of the client, which the header of a trusted proxy names, maybe with a port. */
export function clientAddress(headers: Headers, sourceIp = ""): string {
  if (!hasProxySecret(headers)) return sourceIp;
  const [, ipv4, ipv6] = ADDRESS.exec(headers[process.env.PROXY_ADDRESS_HEADER ?? ""] ?? "") ?? [];
  return ipv4 ?? ipv6 ?? sourceIp;
}

/**
 * Refuses what did not come through the deployment's proxy, except from the deployment itself. @throws ApiError
 * `Forbidden`
 */
export function refuseWithoutProxy(headers: Headers, address: string): void {
  if (address !== "" && hasProxySecret(headers) === false)
    throw new ApiError("Forbidden", `Requests must be sent to ${process.env.ADDRESS}`);
}
