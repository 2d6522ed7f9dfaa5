import type { IncomingMessage } from "node:http";

/** The HTTP API's limit for the request line plus all headers, in bytes. */
export const headLimitBytes = 10_240;

/** The HTTP API's limit for a request body, in bytes. */
export const bodyLimitBytes = 10 * 1024 * 1024;

/** A request target, taken apart without normalising anything. */
export interface RequestTarget {
  /** The path, percent-decoded. */
  readonly path: string;
  /** What follows the question mark, as sent; empty if there is none. */
  readonly query: string;
}

/**
 * Takes the target of a request line apart.
 *
 * @param target origin form (`/users?x=1`) or absolute form (`http://host/users?x=1`)
 * @returns the decoded path and the raw query, or undefined if the target has no path or is not valid
 * percent-encoded UTF-8
 */
export function readTarget(target: string): RequestTarget | undefined {
  const local = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  const mark = local.indexOf("?");
  const path = mark < 0 ? local : local.slice(0, mark);
  const query = mark < 0 ? "" : local.slice(mark + 1);
  if (path === "" && local !== target) return { path: "/", query };
  if (!path.startsWith("/")) return undefined;
  try {
    return { path: decodeURIComponent(path), query };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * The size of a request's head: request line and headers, with their separators.
 *
 * @returns bytes; Node hands header bytes over as Latin-1, one character each
 */
export function headSize(request: IncomingMessage): number {
  const line = `${request.method} ${request.url} HTTP/${request.httpVersion}\r\n`.length;
  return request.rawHeaders.reduce((sum, part) => sum + part.length + 2, line);
}

/**
 * Reads a request body to its end, so that the client hears the answer even when the body is too large.
 *
 * @returns the body, or `too-large`
 * @throws {Error} if the client goes away before the end
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | "too-large"> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= bodyLimitBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > bodyLimitBytes ? "too-large" : Buffer.concat(chunks, size);
}
