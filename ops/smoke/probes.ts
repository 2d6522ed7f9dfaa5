import { allRoutes, definitions } from "../../functions/definitions.ts";
import { prepare, referencesOf, shownContext } from "../../functions/example-requests.ts";
import { isCreation, type Route } from "../../lib/http/route.ts";
import type { HttpClient, HttpRequest, HttpResponse } from "../http-client.ts";

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

type Probe = (send: Send) => Promise<string>;

/** A route that reads nothing. */
const cheap = targetOf(
  ({ key, method, pattern, authorizer, request }) =>
    method === "GET" && !/[{]|^.$/.test(pattern) && !authorizer && !request.query && !isLimited(key),
);
const readsRecord = ({ key, method, authorizer }: Route) =>
  method === "GET" && !authorizer && referencesOf(key).length === 1;
/** A record that does not exist; if possible, one whose 404 differs from the response to an invalid id. */
const missing = targetOf(
  (route) =>
    readsRecord(route) &&
    route.errorFormat === "detail" &&
    !route.request.path?.safeParse({ [/\{(\w+)/.exec(route.pattern)?.[1] ?? ""]: "x" }).success,
  readsRecord,
);
/** A creation that rejects an empty object. */
const creation = targetOf(
  (route) => isCreation(route) && !route.authorizer && !route.request.body?.safeParse({}).success,
);
/** Two operations whose paths differ by a slash. */
const twins = allRoutes.flatMap((route) => {
  const twin = allRoutes.find(({ key }) => key === `${route.key}/`);
  return twin ? [[route, twin] as const] : [];
})[0];

const probes: Readonly<Record<string, Probe>> = {
  "trailing slash": async (send) => {
    const { status, headers } = await send({ target: `${missing}/` });
    if (status === 404) return `lenient: GET ${missing}/ reaches the route without the slash`;
    if (status === 308) return `strict: GET ${missing}/ reaches the fallback, 308 to ${headers.location}`;
    return `neither: GET ${missing}/ → ${status}`;
  },
  ...(twins && {
    "two operations": async (send: Send) => {
      const request = ({ method, pattern }: Route) => ({ method, target: pattern, body: "{}" });
      const [first, second] = [await send(request(twins[0])), await send(request(twins[1]))];
      const are = first.text === second.text ? "are not different operations" : "are different operations";
      return `${twins[0].key} and ${twins[1].key} ${are}`;
    },
  }),
  HEAD: async (send) => {
    const [get, head] = [await send({ target: cheap }), await send({ method: "HEAD", target: cheap })];
    const length = head.headers["content-length"] ?? "none";
    return `${describeResponse(head)}, content-length ${length}; GET has ${get.text.length}`;
  },
  "unknown method": async (send) => describeResponse(await send({ method: "PURGE", target: cheap })),
  OPTIONS: async (send) => {
    const response = await send({ method: "OPTIONS", target: cheap });
    return `without an origin: ${describeResponse(response)}, allows ${response.headers.allow ?? "nothing"}`;
  },
  "preflight POST": async (send) => describePreflight(send, "POST", "content-type"),
  "preflight PATCH": async (send) => describePreflight(send, "PATCH", "content-type"),
  "preflight key": async (send) => describePreflight(send, "GET", "x-api-key"),
  "CORS, success": async (send) => describeCors(await send({ target: cheap, headers: { origin } })),
  "CORS, function's 404": async (send) => describeCors(await send({ target: missing, headers: { origin } })),
  "CORS, gateway's 404": async (send) =>
    describeCors(await send({ method: "PURGE", target: cheap, headers: { origin } })),
  "no content type": async (send) => {
    const request = { method: "POST", target: creation, body: "{}" };
    const declared = await send({ ...request, headers: { "content-type": "application/json" } });
    const { status, text } = await send(request);
    return text === declared.text
      ? "a body without a content type is passed on unchanged"
      : `POST ${creation} → ${status}`;
  },
  "encoded slash": (send) => describeVariant(send, missing.replace(/\/(?!.*\/)/, "%2F")),
  "encoded letter": (send) =>
    describeVariant(
      send,
      missing.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ),
  "encoded question mark": (send) => describeVariant(send, `${missing}%3Fx`),
  "encoded percent": (send) => describeVariant(send, missing.replace(/0$/, "%2530")),
  "double slash": async (send) => describeResponse(await send({ target: `/${cheap}` })),
  "malformed escape": async (send) => describeResponse(await send({ target: missing.replace(/0$/, "%zz") })),
  "+json type": async (send) => {
    const response = await send({
      method: "POST",
      target: creation,
      headers: { "content-type": "application/problem+json" },
      body: Buffer.alloc(base64Body, " "),
    });
    return response.headers["x-request-id"] === undefined
      ? `base64: 5 MB are too large as base64, ${describeResponse(response)}`
      : `text: 5 MB fit into the event, ${describeResponse(response)}`;
  },
  "body size": async (send) => {
    const body = Buffer.alloc(oversizedBody, " ");
    const response = await send({ method: "POST", target: creation, headers: { origin }, body });
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
      results.push({ subject, behavior: await probe(send) });
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      results.push({ subject, behavior: `no response (${message})` });
    }
  }
  return results;
}

/** The path of the first such route, with ids that no record has; `/no-such-path` if there is none of any kind. */
function targetOf(...kinds: ((route: Route) => boolean)[]): string {
  const [route] = kinds.flatMap((isWanted) => allRoutes.find(isWanted) ?? []);
  if (route === undefined) return "/no-such-path";
  return prepare(route.key, { ...shownContext, id: () => 0 }).target;
}

/** Whether a route is throttled because it costs much more than others. */
function isLimited(key: string): boolean {
  return Object.values(definitions).some(({ limits }) => limits?.[key] !== undefined);
}

/** Whether a variant of the missing record's path reaches its route. */
async function describeVariant(send: Send, target: string): Promise<string> {
  const [expected, response] = [await send({ target: missing }), await send({ target })];
  if (response.text === expected.text) return `${target} reaches the route`;
  return `${target} does not reach the route: ${describeResponse(response)}`;
}

async function describePreflight(send: Send, method: string, header: string): Promise<string> {
  const response = await send({
    method: "OPTIONS",
    target: cheap,
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": header,
    },
  });
  const names = ["origin", "methods", "headers"].map((name) => `access-control-allow-${name}`);
  const allowed = names.flatMap((name) => response.headers[name] ?? []);
  return `${describeResponse(response)}, allows ${allowed.length === 0 ? "nothing" : allowed.join(" | ")}`;
}

function describeCors({ status, headers }: HttpResponse): string {
  const allowed = headers["access-control-allow-origin"];
  const vary = headers.vary === undefined ? "" : `, varies by ${headers.vary}`;
  return `${status} ${allowed === undefined ? "without CORS headers" : `allows the origin ${allowed}`}${vary}`;
}

/** The status, and who sent it: only functions send `x-request-id`. */
function describeResponse({ status, headers, text }: HttpResponse): string {
  const sender = headers["x-request-id"] === undefined ? "the gateway" : "a function";
  return `${status} from ${sender}${text === "" || text.length > 60 ? "" : `, ${text}`}`;
}
