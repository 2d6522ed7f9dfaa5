import type { Client, ClientResponse } from "../cli/http-client.ts";
import { type Ask, largestHead } from "./head-size.ts";

/** A fact about the gateway that its documentation leaves open, as found at this one. */
export interface Finding {
  readonly subject: string;
  readonly found: string;
}

const origin = "https://smoke-test.example";
const beyondBodyLimit = 10 * 1024 * 1024 + 1;

type Probe = (ask: Ask, host: string) => Promise<string>;

const probes: Readonly<Record<string, Probe>> = {
  "trailing slash": async (ask) => {
    const { status, headers } = await ask({ target: "/todos/none/" });
    if (status === 404) return "lenient: GET /todos/{id}/ reaches the route without the slash";
    if (status === 308) return `strict: GET /todos/{id}/ reaches the fallback, 308 to ${headers.location}`;
    return `neither: GET /todos/{id}/ → ${status}`;
  },
  "two operations": async (ask) => {
    const one = await ask({ method: "POST", target: "/users", body: "{}" });
    const two = await ask({ method: "POST", target: "/users/", body: "{}" });
    return one.status === 400 && two.status === 422
      ? "POST /users and POST /users/ are told apart"
      : `POST /users {} → ${one.status}, POST /users/ {} → ${two.status}: not told apart`;
  },
  HEAD: async (ask) => saying(await ask({ method: "HEAD", target: "/health" })),
  "unknown method": async (ask) => saying(await ask({ method: "PURGE", target: "/health" })),
  OPTIONS: async (ask) => `without an origin: ${saying(await ask({ method: "OPTIONS", target: "/todos" }))}`,
  "preflight POST": async (ask) => preflight(ask, "POST", "content-type"),
  "preflight PATCH": async (ask) => preflight(ask, "PATCH", "content-type"),
  "preflight key": async (ask) => preflight(ask, "GET", "x-api-key"),
  "CORS, success": async (ask) => cors(await ask({ target: "/health", headers: { origin } })),
  "CORS, function's 404": async (ask) => cors(await ask({ target: "/todos/none", headers: { origin } })),
  "CORS, gateway's 404": async (ask) =>
    cors(await ask({ method: "PURGE", target: "/health", headers: { origin } })),
  "no content type": async (ask) => {
    const { status } = await ask({ method: "POST", target: "/users/search", body: '{"filters":{"id":0}}' });
    return status === 200 ? "a body without a content type arrives whole" : `POST /users/search → ${status}`;
  },
  "encoded slash": async (ask) => {
    const { status } = await ask({ target: "/errors%2F403" });
    if (status === 403) return "%2F is a slash when the route is chosen";
    return `%2F is no slash when the route is chosen: ${saying(await ask({ target: "/errors%2F403" }))}`;
  },
  "encoded letter": async (ask) => {
    const { status } = await ask({ target: "/erro%72s/403" });
    return status === 403 ? "decoded before the route is chosen" : `/erro%72s/403 → ${status}`;
  },
  "double slash": async (ask) => saying(await ask({ target: "//health" })),
  "malformed escape": async (ask) => saying(await ask({ target: "/todos/%zz" })),
  "head size": largestHead,
  "body size": async (ask) => {
    const body = Buffer.alloc(beyondBodyLimit, " ");
    const answer = await ask({ method: "POST", target: "/users/search", headers: { origin }, body });
    return `10 MB and a byte: ${saying(answer)}; ${cors(answer)}`;
  },
};

/**
 * Finds out how a gateway takes what the documentation leaves open. None of it creates anything, and none of it
 * is right or wrong: the service works whichever way it is.
 *
 * @param client of the service
 * @param budgetMs how long all of it may take
 * @returns the findings; a probe without an answer says so
 */
export async function probeGateway(client: Client, budgetMs: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  const deadline = performance.now() + budgetMs;
  const ask: Ask = (request) => {
    const left = deadline - performance.now();
    if (left <= 0) throw new Error("the time is over");
    return client.send({ method: "GET", target: "/", ...request }, Math.min(10_000, left));
  };
  for (const [subject, probe] of Object.entries(probes)) {
    try {
      findings.push({ subject, found: await probe(ask, client.host) });
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      findings.push({ subject, found: `no answer (${message})` });
    }
  }
  return findings;
}

async function preflight(ask: Ask, method: string, header: string): Promise<string> {
  const { status, headers } = await ask({
    method: "OPTIONS",
    target: "/todos",
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": header,
    },
  });
  const names = ["origin", "methods", "headers"].map((name) => `access-control-allow-${name}`);
  const given = names.filter((name) => headers[name] !== undefined).map((name) => headers[name]);
  return `${status}, ${given.length === 0 ? "allows nothing" : `allows ${given.join(" | ")}`}`;
}

function cors({ status, headers }: ClientResponse): string {
  const allowed = headers["access-control-allow-origin"];
  return `${status} ${allowed === undefined ? "without CORS headers" : `allows the origin ${allowed}`}`;
}

/** The status, and who answered: only functions give `x-request-id`. */
function saying({ status, headers, text }: ClientResponse): string {
  const who = headers["x-request-id"] === undefined ? "the gateway" : "a function";
  return `${status} from ${who}${text === "" || text.length > 60 ? "" : `, ${text}`}`;
}
