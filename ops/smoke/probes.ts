import type { HttpClient, HttpRequest, HttpResponse } from "../http-client.ts";
import { findMaxHeadSize } from "./head-size.ts";

/** How the gateway behaves in a case that its documentation leaves open. */
export interface ProbeResult {
  readonly subject: string;
  readonly behavior: string;
}

/** Sends a request; `GET /` by default. */
type Send = (request: Partial<HttpRequest>) => Promise<HttpResponse>;

const origin = "https://smoke-test.example";
const oversizedBody = 10 * 1024 * 1024 + 1;

/** Exceeds Lambda's limit of 6 MB only in base64, which adds a third. */
const base64Body = 5 * 1024 * 1024;

type Probe = (send: Send, host: string) => Promise<string>;

const probes: Readonly<Record<string, Probe>> = {
  "trailing slash": async (send) => {
    const { status, headers } = await send({ target: "/todos/none/" });
    if (status === 404) return "lenient: GET /todos/{id}/ reaches the route without the slash";
    if (status === 308) return `strict: GET /todos/{id}/ reaches the fallback, 308 to ${headers.location}`;
    return `neither: GET /todos/{id}/ → ${status}`;
  },
  "two operations": async (send) => {
    const first = await send({ method: "POST", target: "/users", body: "{}" });
    const second = await send({ method: "POST", target: "/users/", body: "{}" });
    return first.status === 400 && second.status === 422
      ? "POST /users and POST /users/ are different operations"
      : `POST /users {} → ${first.status}, POST /users/ {} → ${second.status}: not different operations`;
  },
  HEAD: async (send) => describeResponse(await send({ method: "HEAD", target: "/health" })),
  "unknown method": async (send) => describeResponse(await send({ method: "PURGE", target: "/health" })),
  OPTIONS: async (send) =>
    `without an origin: ${describeResponse(await send({ method: "OPTIONS", target: "/todos" }))}`,
  "preflight POST": async (send) => describePreflight(send, "POST", "content-type"),
  "preflight PATCH": async (send) => describePreflight(send, "PATCH", "content-type"),
  "preflight key": async (send) => describePreflight(send, "GET", "x-api-key"),
  "CORS, success": async (send) => describeCors(await send({ target: "/health", headers: { origin } })),
  "CORS, function's 404": async (send) =>
    describeCors(await send({ target: "/todos/none", headers: { origin } })),
  "CORS, gateway's 404": async (send) =>
    describeCors(await send({ method: "PURGE", target: "/health", headers: { origin } })),
  "no content type": async (send) => {
    const { status } = await send({ method: "POST", target: "/users/search", body: '{"filters":{"id":0}}' });
    return status === 200
      ? "a body without a content type is passed on unchanged"
      : `POST /users/search → ${status}`;
  },
  "encoded slash": async (send) => {
    const response = await send({ target: "/errors%2F403" });
    return response.status === 403
      ? "%2F matches a slash of the route"
      : `%2F does not match a slash of the route: ${describeResponse(response)}`;
  },
  "encoded letter": async (send) => {
    const { status } = await send({ target: "/erro%72s/403" });
    return status === 403 ? "decoded before the route is matched" : `/erro%72s/403 → ${status}`;
  },
  "encoded question mark": async (send) => {
    const response = await send({ target: "/errors/403%3Fx" });
    return response.status === 403
      ? "%3F ends the path"
      : `%3F does not end the path: ${describeResponse(response)}`;
  },
  "encoded percent": async (send) => {
    const response = await send({ target: "/errors/%253403" });
    return response.status === 403
      ? "%25 is decoded twice"
      : `%25 is decoded at most once: ${describeResponse(response)}`;
  },
  "double slash": async (send) => describeResponse(await send({ target: "//health" })),
  "malformed escape": async (send) => describeResponse(await send({ target: "/todos/%zz" })),
  "+json type": async (send) => {
    const response = await send({
      method: "POST",
      target: "/users/search",
      headers: { "content-type": "application/problem+json" },
      body: Buffer.alloc(base64Body, " "),
    });
    return response.headers["x-request-id"] === undefined
      ? `base64: 5 MB are too large as base64, ${describeResponse(response)}`
      : `text: 5 MB fit into the event, ${describeResponse(response)}`;
  },
  "head size": findMaxHeadSize,
  "body size": async (send) => {
    const body = Buffer.alloc(oversizedBody, " ");
    const response = await send({ method: "POST", target: "/users/search", headers: { origin }, body });
    return `10 MB and a byte: ${describeResponse(response)}; ${describeCors(response)}`;
  },
};

/**
 * Probes how a gateway behaves where its documentation leaves it open. The probes create no records, and their results
 * are neither right nor wrong: the service works either way.
 *
 * @param budgetMs the maximum duration of all probes
 */
export async function probeGateway(client: HttpClient, budgetMs: number): Promise<ProbeResult[]> {
  const results: ProbeResult[] = [];
  const deadline = performance.now() + budgetMs;
  const send: Send = (request) => {
    const remaining = deadline - performance.now();
    if (remaining <= 0) throw new Error("no time left");
    return client.send({ method: "GET", target: "/", ...request }, Math.min(10_000, remaining));
  };
  for (const [subject, probe] of Object.entries(probes)) {
    try {
      results.push({ subject, behavior: await probe(send, client.host) });
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      results.push({ subject, behavior: `no response (${message})` });
    }
  }
  return results;
}

async function describePreflight(send: Send, method: string, header: string): Promise<string> {
  const { status, headers } = await send({
    method: "OPTIONS",
    target: "/todos",
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": header,
    },
  });
  const names = ["origin", "methods", "headers"].map((name) => `access-control-allow-${name}`);
  const allowed = names.filter((name) => headers[name] !== undefined).map((name) => headers[name]);
  return `${status}, ${allowed.length === 0 ? "allows nothing" : `allows ${allowed.join(" | ")}`}`;
}

function describeCors({ status, headers }: HttpResponse): string {
  const allowed = headers["access-control-allow-origin"];
  return `${status} ${allowed === undefined ? "without CORS headers" : `allows the origin ${allowed}`}`;
}

/** The status, and who sent it: only functions send `x-request-id`. */
function describeResponse({ status, headers, text }: HttpResponse): string {
  const sender = headers["x-request-id"] === undefined ? "the gateway" : "a function";
  return `${status} from ${sender}${text === "" || text.length > 60 ? "" : `, ${text}`}`;
}
