import type { IncomingHttpHeaders } from "node:http";
import { allRoutes, definitions } from "../../functions/definitions.ts";
import { prepare, referencesOf, shownContext } from "../../functions/example-requests.ts";
import { isCreation, type Route } from "../../lib/http/route.ts";
import type { HttpClient, HttpRequest, HttpResponse } from "../http-client.ts";

/** How the gateway responds in a case that its documentation leaves open. */
export interface ProbeResult {
  readonly subject: string;
  readonly behavior: string;
}

const origin = { origin: "https://smoke-test.example" };
const json = { "content-type": "application/json" };

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
  return twin ? [route, twin] : [];
});

/** The requests by what they try; GET by default. Those that others are compared with come first. */
const probes: Readonly<Record<string, Omit<HttpRequest, "method"> & { readonly method?: string }>> = {
  "a missing record": { target: missing },
  "trailing slash": { target: `${missing}/` },
  "encoded letter": {
    target: missing.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  },
  "encoded slash": { target: missing.replace(/\/(?!.*\/)/, "%2F") },
  "encoded question mark": { target: `${missing}%3Fx` },
  "encoded percent": { target: missing.replace(/0$/, "%2530") },
  "malformed escape": { target: missing.replace(/0$/, "%zz") },
  "double slash": { target: `/${cheap}` },
  ...Object.fromEntries(
    twins.map(({ key, method, pattern }) => [`operation ${key}`, { method, target: pattern, body: "{}" }]),
  ),
  "a success": { target: cheap },
  HEAD: { method: "HEAD", target: cheap },
  "unknown method": { method: "PURGE", target: cheap },
  OPTIONS: { method: "OPTIONS", target: cheap },
  "preflight POST": preflight("POST", "content-type"),
  "preflight PATCH": preflight("PATCH", "content-type"),
  "preflight key": preflight("GET", "x-api-key"),
  "CORS, success": { target: cheap, headers: origin },
  "CORS, function's 404": { target: missing, headers: origin },
  "CORS, gateway's 404": { method: "PURGE", target: cheap, headers: origin },
  "JSON body": { method: "POST", target: creation, headers: json, body: "{}" },
  "no content type": { method: "POST", target: creation, body: "{}" },
  // Exceeds Lambda's limit of 6 MB only in base64, which adds a third.
  "5 MB of +json": {
    method: "POST",
    target: creation,
    headers: { "content-type": "application/problem+json" },
    body: Buffer.alloc(5 * 1024 * 1024, " "),
  },
  "10 MB and a byte": {
    method: "POST",
    target: creation,
    headers: origin,
    body: Buffer.alloc(10 * 1024 * 1024 + 1, " "),
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
  const subjects = new Map<string, string>();
  const deadline = performance.now() + budgetMs;
  for (const [subject, { method = "GET", ...request }] of Object.entries(probes)) {
    const left = deadline - performance.now();
    if (left <= 0) break;
    const shown = `${method} ${request.target}: `;
    try {
      const response = await client.send({ method, ...request }, Math.min(10_000, left));
      const same = response.text && subjects.get(response.text);
      if (!same) subjects.set(response.text, subject);
      results.push({
        subject,
        behavior: shown + describe(response, same ? `the same as ${same}` : undefined),
      });
    } catch (error) {
      results.push({ subject, behavior: `${shown}no response (${(error as Error).message})` });
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

function preflight(method: string, header: string) {
  const headers = { "access-control-request-method": method, "access-control-request-headers": header };
  return { method: "OPTIONS", target: cheap, headers: { ...origin, ...headers } };
}

/** The status, who sent it, since only functions send `x-request-id`, the body, and what tells gateways apart. */
function describe({ status, headers, text }: HttpResponse, body = text.length > 60 ? "…" : text): string {
  const sender = headers["x-request-id"] === undefined ? "the gateway" : "a function";
  const names = [
    "location",
    "allow",
    "vary",
    ...["origin", "methods", "headers"].map((name) => `access-control-allow-${name}`),
  ];
  if (text === "") names.push("content-length");
  const shown = names.flatMap((name: keyof IncomingHttpHeaders) =>
    headers[name] === undefined ? [] : `${name} ${headers[name]}`,
  );
  return [`${status} from ${sender}`, ...(body === "" ? [] : [body]), ...shown].join(", ");
}
