import { globSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CommandError, messageOf } from "../../cli/errors.ts";
import { bundleForBrowser } from "../../infra/build/browser.ts";
import { isForOwnMachine, isFromOwnPage } from "../api-gateway/foreign.ts";
import type { ServedRequest } from "../api-gateway/gateway.ts";
import type { LogLine } from "../log.ts";
import { readBody } from "../read-body.ts";
import type { LocalRun } from "../run.ts";
import type { ShownRequest } from "./model.ts";
import { sendAgain } from "./send-again.ts";
import { type KeptRequest, shownRequest } from "./shown-request.ts";
import { readRecords } from "./stored-records.ts";

/** How many requests are kept, and log lines, which arrive before the response of their request. */
const maxKept = 200;

const headers = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; " +
    "img-src data:; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  "x-content-type-options": "nosniff",
};

type Action = (run: LocalRun, query: URLSearchParams, body: string, port?: number) => Promise<unknown>;

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** An editor is asked to open files of the project by their whole path. */
const project = pathToFileURL(file("../..")).pathname.replaceAll("&", "%26");
const page: readonly [string, Action] = [
  "text/html",
  async () => readFileSync(file("page.html"), "utf8").replace("{project}", () => project),
];

/** A page of requests with their calls to AWS and log lines, and one of the data. Only for this machine. */
export class DevView {
  /** No route of the API starts with an underscore. */
  readonly path = "/_dev";
  readonly #requests: KeptRequest[] = [];
  readonly #lines: LogLine[] = [];
  readonly #readers = new Set<ServerResponse>();
  readonly #run = Promise.withResolvers<LocalRun>();
  /** The page waits until the service has started. */
  readonly open = this.#run.resolve;

  readonly #actions: Readonly<Record<string, readonly [type: string, act: Action]>> = {
    "GET ": page,
    "GET /data": page,
    "GET /page.css": ["text/css", () => bundleForBrowser(file("page.css"))],
    "GET /page.js": ["text/javascript", () => bundleForBrowser(file("browser/main.ts"))],
    "GET /source": ["text/plain", async (_, query) => sourceOf(query.get("route"))],
    "GET /data/items": ["application/json", readRecords],
    "POST /clear": ["text/plain", async () => this.#clear()],
    "POST /send": [
      "text/plain",
      (run, _, text, port = 0) => sendAgain(JSON.parse(text), this.#requests, port, run.secrets()),
    ],
  };

  addRequest(served: ServedRequest): void {
    // What the documentation and this page load would push the API's requests off the list.
    if (/^\/docs\/assets\/|^\/openapi\.json\?for=_dev$/.test(served.target)) return;
    const shown = shownRequest(served, new Date(), this.#lines);
    this.#requests.push({ served, shown });
    if (this.#requests.length > maxKept) this.#requests.shift();
    for (const reader of this.#readers) send(reader, shown);
  }

  addLine(line: LogLine): void {
    this.#lines.push(line);
    if (this.#lines.length > maxKept) this.#lines.shift();
  }

  readonly intercept = (request: IncomingMessage, response: ServerResponse): boolean => {
    // No `URL`: it throws for a target such as `//`.
    const [target = "", query] = (request.url ?? "").split("?");
    const isPage = target === this.path || target.startsWith(`${this.path}/`);
    if (!isPage || !isForOwnMachine(request) || !isFromOwnPage(request)) return false;
    const key = `${request.method} ${target.slice(this.path.length)}`;
    const action = Object.hasOwn(this.#actions, key) ? this.#actions[key] : undefined;
    if (key === "GET /events") {
      this.#stream(response);
      return true;
    }
    if (action === undefined) return false;
    const [type, act] = action;
    const respond = (status: number, body: unknown, contentType = "text/plain") =>
      response
        .writeHead(status, { ...headers, "content-type": `${contentType}; charset=utf-8` })
        .end(body ?? "");
    Promise.all([this.#run.promise, readBody(request)])
      .then(([run, body]) => act(run, new URLSearchParams(query), body.toString(), request.socket.localPort))
      .then((body) => respond(200, body, type))
      .catch((error) => respond(error instanceof CommandError ? 422 : 502, messageOf(error)));
    return true;
  };

  /** Also in other windows, and for a page that is loaded again. */
  #clear(): void {
    this.#requests.length = 0;
    for (const reader of this.#readers) reader.write("event: clear\ndata: all\n\n");
  }

  close(): void {
    for (const reader of this.#readers) reader.destroy();
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
  // A page that reads so slowly connects again by itself.
  if (reader.writableLength > 1_000_000) reader.destroy();
  else reader.write(`id: ${request.id}\ndata: ${JSON.stringify(request)}\n\n`);
}

/** The path in the project with the line where the code declares a route; empty if its key stands nowhere as it is. */
function sourceOf(routeKey: string | null): string {
  for (const path of globSync(file("../../functions/*/*.ts"))) {
    const lines = readFileSync(path, "utf8").split("\n");
    const at = lines.findIndex((line) => line.includes(`route("${routeKey}"`));
    if (at >= 0) return `${relative(file("../.."), path).replaceAll("\\", "/")}:${at + 1}`;
  }
  return "";
}
