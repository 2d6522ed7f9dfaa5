import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { SmokeCall } from "../../functions/define-area.ts";
import { allRoutes, routesByArea } from "../../functions/definitions.ts";
import { isBytes, type Route, type Status } from "../../lib/http/route.ts";
import type { HttpClient, HttpRequest, HttpResponse } from "../http-client.ts";

/** A request. Its route is undefined if it matches none. */
interface SmokeRequest extends HttpRequest {
  readonly route?: Route;
}

/** What a response has to be, besides what its route declares. */
export type Expectation = Pick<SmokeCall, "status" | "response" | "responseHeaders">;

/** A line of the report. */
export interface Step {
  readonly outcome: "pass" | "fail" | "not tested";
  readonly area: string;
  /** The route's key, or method and path if there is no such route. */
  readonly call: string;
  readonly status?: number;
  readonly milliseconds?: number;
  /** Why it failed or was not tested. */
  readonly reason?: string | undefined;
}

const areaOf = new Map(
  Object.entries(routesByArea).flatMap(([area, routes]) => routes.map(({ key }) => [key, area] as const)),
);

/** Calls a service and records the outcomes. */
export class SmokeTest {
  readonly steps: Step[] = [];
  readonly #client: HttpClient;
  readonly #deadline: number;

  /** @param budgetMs the maximum duration of the whole test */
  constructor(client: HttpClient, budgetMs: number) {
    this.#client = client;
    this.#deadline = performance.now() + budgetMs;
  }

  /**
   * Makes a call and compares the response with the expected one and with the route's declaration.
   *
   * @returns undefined if the call failed
   */
  async call(request: SmokeRequest, expected: Expectation): Promise<HttpResponse | undefined> {
    const { route, method, target } = request;
    const call = route?.key ?? `${method} ${target}`;
    const step = { area: areaOf.get(call) ?? "", call };
    try {
      // What was created is deleted, however late it is.
      const remaining = method === "DELETE" ? 10_000 : this.#deadline - performance.now();
      if (remaining <= 0) throw new Error("No time left for the smoke test");
      const response = await this.#client.send(request, Math.min(10_000, remaining));
      const { status, milliseconds } = response;
      const reason = mismatch(response, expected, route);
      const outcome = reason === undefined ? "pass" : "fail";
      this.steps.push({ ...step, outcome, status, milliseconds, reason });
      return reason === undefined ? response : undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.steps.push({ ...step, outcome: "fail", reason });
      return undefined;
    }
  }

  /** Records that a route is not tested. */
  skip(key: string, reason: string): void {
    this.steps.push({ outcome: "not tested", area: areaOf.get(key) ?? "", call: key, reason });
  }

  /** Records every route without a step as not tested. */
  skipUncalled(reason: string): void {
    const called = new Set(this.steps.map(({ call }) => call));
    for (const { key } of allRoutes) if (!called.has(key)) this.skip(key, reason);
  }
}

/** Why a response is not as expected; undefined if it is. */
function mismatch(
  response: HttpResponse,
  expected: Expectation,
  route: Route | undefined,
): string | undefined {
  const { status, headers, text } = response;
  if (status !== expected.status) return `expected ${expected.status}; ${truncate(text)}`;
  if (headers["x-request-id"] === undefined) return "no x-request-id: not sent by a function";
  for (const [name, value] of Object.entries(expected.responseHeaders ?? {}))
    if (headers[name] !== value) return `${name} is ${headers[name] ?? "missing"}, expected ${value}`;
  const body = bodyOf(response);
  const schema = route?.responses[status as Status];
  // Bytes are only declared by their media type, and compressed bodies are not decoded.
  if (schema && !isBytes(schema) && headers["content-encoding"] === undefined) {
    const { error } = schema.safeParse(body);
    if (error) return `not as declared: ${z.prettifyError(error)}`;
  }
  const isMember = ([name, value]: [string, unknown]) =>
    isDeepStrictEqual((body as Record<string, unknown> | null | undefined)?.[name], value);
  return Object.entries(expected.response ?? {}).every(isMember)
    ? undefined
    : `expected ${JSON.stringify(expected.response)}; ${truncate(text)}`;
}

function bodyOf({ headers, text }: HttpResponse): unknown {
  if (text === "" || headers["content-encoding"] !== undefined) return undefined;
  return headers["content-type"]?.startsWith("application/json") ? JSON.parse(text) : text;
}

function truncate(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
