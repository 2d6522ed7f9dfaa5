import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { allRoutes } from "../../functions/definitions.ts";
import { isBytes, type Method, type Route, type Status } from "../../lib/http/route.ts";
import { createRouter } from "../../lib/http/router.ts";
import type { HttpClient, HttpResponse } from "../http-client.ts";

const router = createRouter(allRoutes);

/** A request and the expected response. */
interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  /** The request's body, sent as JSON. */
  readonly json?: unknown;
  /** The expected status. */
  readonly status: number;
  /** Expected members of the response's object. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Expected members of at least one entry of the response's array. */
  readonly entry?: Readonly<Record<string, unknown>>;
  /** Patterns for response headers; names in lower case. */
  readonly responseHeaders?: Readonly<Record<string, RegExp>>;
}

/** A line of the report. */
export interface Step {
  readonly outcome: "pass" | "fail" | "not tested";
  readonly area: string;
  /** The route's key, or method and path if there is no such route. */
  readonly call: string;
  readonly status?: number;
  readonly milliseconds?: number;
  /** Why it failed or was not tested. */
  readonly reason?: string;
}

/** The response of a call that passed. */
interface CallResult {
  readonly headers: HttpResponse["headers"];
  readonly body: unknown;
}

/** Ends the test of an area, because a call that the next ones depend on failed. */
class AreaAborted extends Error {}

/** Calls the routes of a service, area by area, and records the outcomes. */
export class SmokeTest {
  readonly steps: Step[] = [];
  /** Created records that can't be deleted, in words. */
  readonly leftBehind: string[] = [];
  readonly #client: HttpClient;
  readonly #deadline: number;
  #area = "";
  #removals: (() => Promise<unknown>)[] = [];

  /** @param budgetMs the maximum duration of the whole test */
  constructor(client: HttpClient, budgetMs: number) {
    this.#client = client;
    this.#deadline = performance.now() + budgetMs;
  }

  /**
   * Tests an area, then deletes the records that it created, the last one first.
   *
   * @param name the area's name in the report
   * @param calls makes the calls
   */
  async area(name: string, calls: () => Promise<void>): Promise<void> {
    this.#area = name;
    this.#removals = [];
    await untilAborted(calls);
    for (const remove of this.#removals.reverse()) await untilAborted(remove);
  }

  /**
   * Makes a call and compares the response with the expected one and with the route's declaration.
   *
   * @returns undefined if the call failed
   * @throws {AreaAborted} without a response: further calls of the area would probably fail too
   */
  async call(method: Method, target: string, call: Call): Promise<CallResult | undefined> {
    const { route } = router(method, decodeURIComponent(target.replace(/\?.*$/s, "")));
    const step = { area: this.#area, call: route ? keyOf(route) : `${method} ${target}` };
    try {
      const response = await this.#client.send(
        {
          method,
          target,
          headers: {
            ...(call.json !== undefined && { "content-type": "application/json" }),
            ...call.headers,
          },
          ...(call.json !== undefined && { body: JSON.stringify(call.json) }),
        },
        this.#timeoutMs(),
      );
      const { status, milliseconds } = response;
      const { body, reason } = verify(response, call, route);
      this.steps.push({ ...step, outcome: reason ? "fail" : "pass", status, milliseconds, ...reason });
      return reason ? undefined : { headers: response.headers, body };
    } catch (error) {
      this.steps.push({
        ...step,
        outcome: "fail",
        reason: error instanceof Error ? error.message : String(error),
      });
      throw new AreaAborted();
    }
  }

  /** Deletes a record when the area has been tested. */
  removeLater(target: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#removals.push(() => this.call("DELETE", target, { headers, status: 204 }));
  }

  /** Records that a route is not tested. */
  skip(call: string, reason: string): void {
    this.steps.push({ outcome: "not tested", area: this.#area, call, reason });
  }

  /** Records every route without a call as not tested. */
  skipUncalled(reason: string): void {
    const called = new Set(this.steps.map(({ call }) => call));
    for (const route of allRoutes)
      if (!called.has(keyOf(route))) {
        this.#area = route.tag;
        this.skip(keyOf(route), reason);
      }
  }

  #timeoutMs(): number {
    const remaining = this.#deadline - performance.now();
    if (remaining <= 0) throw new Error("No time left for the smoke test");
    return Math.min(10_000, remaining);
  }
}

/**
 * The id of a created record.
 *
 * @throws {AreaAborted} if the call failed
 */
export function idOf(created: CallResult | undefined): number {
  const { success, data } = z.object({ id: z.int() }).safeParse(created?.body);
  if (!success) throw new AreaAborted();
  return data.id;
}

/**
 * The request header for the version of `GET /users`, according to the service's OpenAPI document.
 *
 * @throws {AreaAborted} if the call failed
 */
export function versionHeaderOf(document: CallResult | undefined): string {
  const parameters = z.array(z.object({ name: z.string(), in: z.string() }));
  const shape = z.object({ paths: z.object({ "/users": z.object({ get: z.object({ parameters }) }) }) });
  const { success, data } = shape.safeParse(document?.body);
  const header =
    success && data.paths["/users"].get.parameters.find((parameter) => parameter.in === "header");
  if (!header) throw new AreaAborted();
  return header.name;
}

/**
 * A string member of a response.
 *
 * @throws {AreaAborted} if the call failed
 */
export function textOf(result: CallResult | undefined, member: string): string {
  const { success, data } = z.looseObject({ [member]: z.string() }).safeParse(result?.body);
  if (!success) throw new AreaAborted();
  return String(data[member]);
}

/**
 * The path of a created record, from the `Location` header.
 *
 * @throws {AreaAborted} if the call failed
 */
export function locationOf(created: CallResult | undefined): string {
  if (created?.headers.location === undefined) throw new AreaAborted();
  return created.headers.location;
}

function keyOf({ method, pattern }: Route): string {
  return `${method} ${pattern}`;
}

async function untilAborted(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AreaAborted)) throw error;
  }
}

function verify(
  response: HttpResponse,
  call: Call,
  route: Route | undefined,
): { body: unknown; reason?: { reason: string } } {
  const failure = (reason: string) => ({ body: undefined, reason: { reason } });
  const mismatch = mismatchOfHead(response, call);
  if (mismatch !== undefined) return failure(mismatch);
  const body = bodyOf(response);
  const reason = mismatchWithDeclaration(response, body, route) ?? mismatchOfBody(response, body, call);
  return reason === undefined ? { body } : failure(reason);
}

function mismatchOfHead({ status, headers, text }: HttpResponse, call: Call): string | undefined {
  if (status !== call.status) return `expected ${call.status}; ${truncate(text)}`;
  if (headers["x-request-id"] === undefined) return "no x-request-id: not sent by a function";
  for (const [name, pattern] of Object.entries(call.responseHeaders ?? {})) {
    const value = headers[name];
    if (!pattern.test(String(value))) return `${name} is ${value ?? "missing"}, expected ${pattern}`;
  }
  return undefined;
}

function mismatchWithDeclaration(
  { status, headers }: HttpResponse,
  body: unknown,
  route: Route | undefined,
): string | undefined {
  const schema = route?.responses[status as Status];
  // Bytes are only declared by their media type, and compressed bodies are not decoded.
  if (schema === undefined || isBytes(schema) || headers["content-encoding"] !== undefined) return undefined;
  const { success, error } = schema.safeParse(body);
  return success ? undefined : `not as declared: ${z.prettifyError(error)}`;
}

function mismatchOfBody({ text }: HttpResponse, body: unknown, call: Call): string | undefined {
  const { body: members, entry } = call;
  if (members && !hasMembers(body, members)) return `expected ${JSON.stringify(members)}; ${truncate(text)}`;
  if (entry && !(Array.isArray(body) && body.some((each) => hasMembers(each, entry))))
    return `${JSON.stringify(entry)} is not in the list`;
  return undefined;
}

function bodyOf({ headers, text }: HttpResponse): unknown {
  if (text === "" || headers["content-encoding"] !== undefined) return undefined;
  return headers["content-type"]?.startsWith("application/json") ? JSON.parse(text) : text;
}

function hasMembers(value: unknown, members: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(members).every(([name, wanted]) =>
    isDeepStrictEqual((value as Record<string, unknown> | null | undefined)?.[name], wanted),
  );
}

function truncate(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
