import type { HttpClient, HttpRequest, HttpResponse } from "../http-client.ts";

const MEGABYTE = 1024 * 1024;
const BUDGET_MS = 20_000;
const origin = { origin: "https://smoke-test.example" };

/** The requests by what they try, `GET /health` by default. The first ones are what others compare with. */
const probes: Readonly<Record<string, Partial<HttpRequest>>> = {
  "a success": {},
  "trailing slash": { target: "/health/" },
  "double slash": { target: "//health" },
  "encoded letter": { target: "/%68ealth" },
  "nested path": { target: "/health/ready" },
  "encoded slash": { target: "/health%2Fready" },
  "encoded slash, twice": { target: "/health%252Fready" },
  "encoded question mark": { target: "/health%3Fx" },
  "malformed escape": { target: "/health%zz" },
  HEAD: { method: "HEAD" },
  "unknown method": { method: "PURGE" },
  OPTIONS: { method: "OPTIONS" },
  "preflight POST": preflight("POST", "content-type"),
  "preflight PATCH": preflight("PATCH", "content-type"),
  "preflight key": preflight("GET", "x-api-key"),
  "CORS, success": { headers: origin },
  "CORS, function's 404": { target: "/health/none", headers: origin },
  "CORS, gateway's 404": { method: "PURGE", headers: origin },
  // Exceeds Lambda's limit of 6 MB only in base64, which adds a third.
  "5 MB of +json": {
    method: "POST",
    headers: { "content-type": "application/problem+json" },
    body: Buffer.alloc(5 * MEGABYTE, " "),
  },
  "10 MB and a byte": { method: "POST", headers: origin, body: Buffer.alloc(10 * MEGABYTE + 1, " ") },
};

/** Tries what a gateway's documentation leaves open, and creates no records. @returns a row for each */
export async function probeGateway(client: HttpClient): Promise<string[][]> {
  const results: string[][] = [];
  const subjects = new Map<string, string>();
  const deadline = performance.now() + BUDGET_MS;
  for (const [subject, probe] of Object.entries(probes)) {
    const left = deadline - performance.now();
    if (left <= 0) break;
    const request = { method: "GET", target: "/health", ...probe };
    try {
      const response = await client.send(request, Math.min(10_000, left));
      const same = response.text && subjects.get(response.text);
      if (!same) subjects.set(response.text, subject);
      const described = describe(response, same ? `the same as ${same}` : response.text);
      results.push([subject, `${request.method} ${request.target}: ${described}`]);
    } catch (error) {
      results.push([subject, `no response (${(error as Error).message})`]);
    }
  }
  return results;
}

function preflight(method: string, header: string) {
  const headers = { "access-control-request-method": method, "access-control-request-headers": header };
  return { method: "OPTIONS", headers: { ...origin, ...headers } };
}

/** The status, who sent it (only functions send `x-request-id`), the body, and what tells gateways apart. */
function describe({ status, headers, text }: HttpResponse, body: string): string {
  const sender = headers["x-request-id"] === undefined ? "the gateway" : "a function";
  const cors = ["origin", "methods", "headers"].map((name) => `access-control-allow-${name}`);
  const shown = ["location", "allow", "vary", ...cors, ...(text === "" ? ["content-length"] : [])];
  return [
    `${status} from ${sender}`,
    ...(body === "" ? [] : [body.length > 60 ? "…" : body]),
    ...shown.flatMap((name) => (headers[name] === undefined ? [] : `${name} ${headers[name]}`)),
  ].join(", ");
}
