import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { bundleForBrowser } from "../../infra/build/browser.ts";
import type { ServedRequest } from "../api-gateway/gateway.ts";
import type { LogLine } from "../log.ts";
import { readBody } from "../read-body.ts";
import type { RequestToSend, ShownRequest } from "./model.ts";
import { routeSource } from "./route-source.ts";
import { sendAgain } from "./send-again.ts";
import { shownRequest } from "./shown-request.ts";

const maxRequests = 200;

/** Lines arrive before the response of their request. */
const maxLines = 500;

/** A page that reads so slowly is disconnected; it connects again by itself. */
const maxBacklogBytes = 1_000_000;

const policy = [
  "default-src 'none'",
  ...["script-src", "style-src", "connect-src"].map((directive) => `${directive} 'self'`),
  // The empty icon of the page: browsers would ask the API for one.
  "img-src data:",
  ...["base-uri", "form-action", "frame-ancestors"].map((directive) => `${directive} 'none'`),
  "require-trusted-types-for 'script'",
].join("; ");

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const files: Readonly<Record<string, { readonly type: string; readonly read: () => Promise<Uint8Array> }>> = {
  "": { type: "text/html", read: () => readFile(file("page.html")) },
  "/page.css": { type: "text/css", read: () => bundleForBrowser(file("page.css")) },
  "/page.js": { type: "text/javascript", read: () => bundleForBrowser(file("browser/main.ts")) },
};

/** A page of requests with their calls to AWS and log lines. Only browsers on this machine get it. */
export class DevView {
  /** No route of the API starts with an underscore. */
  readonly path = "/_dev";
  readonly #requests: { readonly served: ServedRequest; readonly shown: ShownRequest }[] = [];
  readonly #lines: LogLine[] = [];
  readonly #readers = new Set<ServerResponse>();

  addRequest(served: ServedRequest): void {
    // Scripts and styles of the documentation page would push the API's requests off this one.
    if (served.target.startsWith("/docs/assets/")) return;
    const request = shownRequest(served, new Date(), this.#lines);
    this.#requests.push({ served, shown: request });
    if (this.#requests.length > maxRequests) this.#requests.shift();
    for (const reader of this.#readers) send(reader, request);
  }

  addLine(line: LogLine): void {
    this.#lines.push(line);
    if (this.#lines.length > maxLines) this.#lines.shift();
  }

  readonly intercept = (request: IncomingMessage, response: ServerResponse): boolean => {
    // No `URL`: it throws for a target such as `//`.
    const [target = "", query = ""] = (request.url ?? "").split("?");
    const isPage = target === this.path || target.startsWith(`${this.path}/`);
    if (!isPage || !isFromThisMachine(request)) return false;
    const path = target.slice(this.path.length);
    if (request.method === "POST" && path === "/send" && isFromOwnPage(request)) {
      this.#send(request).then(
        (status) => response.writeHead(status).end(),
        (error: Error) => response.writeHead(502).end(error.message),
      );
      return true;
    }
    if (request.method !== "GET") return false;
    if (path === "/events") this.#stream(response);
    else if (path === "/source") {
      const source = routeSource(decodeURIComponent(query)) ?? null;
      respond(response, "application/json", Buffer.from(JSON.stringify(source)));
    } else {
      const found = Object.hasOwn(files, path) ? files[path] : undefined;
      if (found === undefined) return false;
      found.read().then(
        (body) => respond(response, `${found.type}; charset=utf-8`, body),
        // Only a broken file of the page itself.
        (error: Error) => response.writeHead(500).end(error.message),
      );
    }
    return true;
  };

  close(): void {
    for (const reader of this.#readers) reader.destroy();
  }

  async #send(request: IncomingMessage): Promise<number> {
    const edited: RequestToSend = JSON.parse((await readBody(request)).toString());
    const original = this.#requests.find(({ shown }) => shown.id === edited.id);
    if (original === undefined) return 404;
    await sendAgain(edited, original.served, request.socket.localPort ?? 0);
    return 204;
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.flushHeaders();
    for (const { shown } of this.#requests) send(response, shown);
    this.#readers.add(response);
    response.on("close", () => this.#readers.delete(response));
  }
}

function send(reader: ServerResponse, request: ShownRequest): void {
  if (reader.writableLength > maxBacklogBytes) reader.destroy();
  else reader.write(`id: ${request.id}\ndata: ${JSON.stringify(request)}\n\n`);
}

function respond(response: ServerResponse, type: string, body: Uint8Array): void {
  response.writeHead(200, {
    "content-type": type,
    "cache-control": "no-store",
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}

/**
 * Whether a request comes from this machine, to a name of it; any other may be an attacker's (DNS rebinding).
 */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isLoopback = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
  return isLoopback && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(headers.host ?? "");
}

/** A page of another origin could send a request that changes something. */
function isFromOwnPage({ headers }: IncomingMessage): boolean {
  return headers.origin === `http://${headers.host}`;
}
