import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { CommandError } from "../../cli/errors.ts";
import { bundleForBrowser } from "../../infra/build/browser.ts";
import { isForOwnMachine, isFromSameOrigin } from "../api-gateway/foreign.ts";
import type { ServedRequest } from "../api-gateway/gateway.ts";
import { exportData } from "../database/all-data.ts";
import { readRecords } from "../database/stored-records.ts";
import type { LogLine } from "../log.ts";
import { readBody } from "../read-body.ts";
import type { LocalRun } from "../run.ts";
import type { MessageToSend, ShownRequest } from "./model.ts";
import { routeSource } from "./route-source.ts";
import { sendAgain } from "./send-again.ts";
import { maskSecret } from "./shown-body.ts";
import { shownRequest } from "./shown-request.ts";

const maxRequests = 200;

/** Lines arrive before the response of their request. */
const maxLines = 500;

/** A page that reads so slowly is disconnected; it connects again by itself. */
const maxBacklogBytes = 1_000_000;

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; " +
  "img-src data:; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

type Action = (query: URLSearchParams, request: IncomingMessage) => Promise<Response>;

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const page: Action = async () => reply(await readFile(file("page.html")), "text/html");

/** A page of requests with their calls to AWS and log lines, and one of the data. Only for this machine. */
export class DevView {
  /** No route of the API starts with an underscore. */
  readonly path = "/_dev";
  readonly #requests: { readonly served: ServedRequest; readonly shown: ShownRequest }[] = [];
  readonly #lines: LogLine[] = [];
  readonly #readers = new Set<ServerResponse>();
  #run: LocalRun | undefined;

  readonly #actions: Readonly<Record<string, Action>> = {
    "GET ": page,
    "GET /data": page,
    "GET /page.css": async () => reply(await bundleForBrowser(file("page.css")), "text/css"),
    "GET /page.js": async () => reply(await bundleForBrowser(file("browser/main.ts")), "text/javascript"),
    "GET /source": async (query) => Response.json(routeSource(query.get("route") ?? "") ?? null),
    "GET /data/items": async (query) =>
      reply(JSON.stringify(await readRecords(this.#opened, query), maskSecret), "application/json"),
    "GET /data/export": async () =>
      reply(await exportData(this.#opened.engine, this.#opened.model().tables), "application/jsonl"),
    "POST /data/import": async (_, request) =>
      this.#replaceData({ text: (await readBody(request)).toString() }),
    "POST /data/reset": () => this.#replaceData("catalog"),
    "POST /data/demo": () => this.#replaceData("demo"),
    "POST /send": async (_, request) => {
      const edited: MessageToSend = JSON.parse((await readBody(request)).toString());
      const original = this.#requests.find(({ shown }) => shown.id === edited.id)?.served;
      const own = { port: request.socket.localPort ?? 0, secrets: this.#opened.secrets() };
      return new Response(await sendAgain(edited, original, own));
    },
  };

  /** From now on the page shows the data of the run, too. */
  open(run: LocalRun): void {
    this.#run = run;
  }

  addRequest(served: ServedRequest): void {
    // What the documentation and this page load would push the API's requests off the list.
    if (/^\/docs\/assets\/|^\/openapi\.json\?for=_dev$/.test(served.target)) return;
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
    if (!isPage || !isForOwnMachine(request)) return false;
    const key = `${request.method} ${target.slice(this.path.length)}`;
    if (key === "GET /events") {
      this.#stream(response);
      return true;
    }
    const action = Object.hasOwn(this.#actions, key) ? this.#actions[key] : undefined;
    // A page of another origin could send a request that changes something.
    if (action === undefined || (request.method === "POST" && !isFromSameOrigin(request))) return false;
    action(new URLSearchParams(query), request)
      .catch(
        (error) => new Response(String(error.message), { status: error instanceof CommandError ? 422 : 502 }),
      )
      .then(async ({ status, headers, body }) => {
        response.writeHead(status, Object.fromEntries(headers));
        for await (const part of body ?? []) response.write(part);
        response.end();
      });
    return true;
  };

  close(): void {
    for (const reader of this.#readers) reader.destroy();
  }

  get #opened(): LocalRun {
    if (this.#run === undefined) throw new CommandError("The service is still starting.");
    return this.#run;
  }

  async #replaceData(by: Parameters<LocalRun["replaceData"]>[0]): Promise<Response> {
    await this.#opened.replaceData(by);
    return new Response(null, { status: 204 });
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

function reply(body: string | Uint8Array, type: string): Response {
  return new Response(body as string, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
    },
  });
}
