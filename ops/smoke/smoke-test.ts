import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { routesByGroup } from "../../functions/routes.ts";
import { isBytes } from "../../lib/http/media-types.ts";
import type { Method, Route, Status } from "../../lib/http/route.ts";
import { createRouter } from "../../lib/http/router.ts";
import type { Client, ClientResponse } from "../cli/http-client.ts";

/** Every route that is declared. */
export const declaredRoutes: readonly Route<never>[] = Object.values(routesByGroup).flat();
const find = createRouter(declaredRoutes);

/** What one call is, and what its answer has to be. */
export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly status: number;
  /** Members that the body's object has, with these values. */
  readonly has?: Readonly<Record<string, unknown>>;
  /** Response headers, names in lower case, and what they match. */
  readonly carries?: Readonly<Record<string, RegExp>>;
  /** Members that an entry of the body's array has. */
  readonly includes?: Readonly<Record<string, unknown>>;
}

/** A line of the report. */
export interface Step {
  readonly outcome: "pass" | "fail" | "not tried";
  readonly area: string;
  /** The route's key with its placeholders, or the path as sent where no route is declared. */
  readonly call: string;
  readonly status?: number;
  readonly milliseconds?: number;
  /** Why it failed or was not tried. */
  readonly reason?: string;
}

/** What a call that passed gave. */
export interface Passed {
  readonly headers: ClientResponse["headers"];
  readonly body: unknown;
}

/** An area cannot go on: a call before has failed. */
class Stopped extends Error {}

/** Calls a service, area by area, and keeps the record. */
export class Walk {
  readonly steps: Step[] = [];
  /** What was created and cannot be removed, in words. */
  readonly leftBehind: string[] = [];
  readonly #client: Client;
  readonly #deadline: number;
  #area = "";
  #removals: (() => Promise<unknown>)[] = [];

  /**
   * @param client of the service
   * @param budgetMs how long the whole walk may take
   */
  constructor(client: Client, budgetMs: number) {
    this.#client = client;
    this.#deadline = performance.now() + budgetMs;
  }

  /**
   * Walks through an area, then removes what it created, the last first.
   *
   * @param name the area's name in the report
   * @param visit makes the calls
   */
  async area(name: string, visit: () => Promise<void>): Promise<void> {
    this.#area = name;
    this.#removals = [];
    await stoppable(visit);
    for (const remove of this.#removals.reverse()) await stoppable(remove);
  }

  /**
   * Makes a call and holds the answer against what is expected and against its route's declaration.
   *
   * @returns the answer, or undefined when it failed
   * @throws {Stopped} when there was no answer at all: the rest of the area would hardly fare better
   */
  async call(method: Method, target: string, call: Call): Promise<Passed | undefined> {
    const { route } = find(method, decodeURIComponent(target.replace(/\?.*$/s, "")));
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
        this.#limit(),
      );
      const { status, milliseconds } = response;
      const { body, reason } = judge(response, call, route);
      this.steps.push({ ...step, outcome: reason ? "fail" : "pass", status, milliseconds, ...reason });
      return reason ? undefined : { headers: response.headers, body };
    } catch (error) {
      this.steps.push({
        ...step,
        outcome: "fail",
        reason: error instanceof Error ? error.message : String(error),
      });
      throw new Stopped();
    }
  }

  /** Deletes a record at the end of the area. */
  removeLater(target: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#removals.push(() => this.call("DELETE", target, { headers, status: 204 }));
  }

  /** Notes that a route's calls are left out. */
  skip(call: string, reason: string): void {
    this.steps.push({ outcome: "not tried", area: this.#area, call, reason });
  }

  /** Notes every declared route that no call has reached. */
  skipTheRest(): void {
    const called = new Set(this.steps.map(({ call }) => call));
    for (const route of declaredRoutes)
      if (!called.has(keyOf(route))) {
        this.#area = route.tag;
        this.skip(keyOf(route), "a call before it failed");
      }
  }

  #limit(): number {
    const left = this.#deadline - performance.now();
    if (left <= 0) throw new Error("The time for the whole walk is over");
    return Math.min(10_000, left);
  }
}

/**
 * The id of a record that a call created.
 *
 * @throws {Stopped} when the call failed
 */
export function idOf(created: Passed | undefined): number {
  const { success, data } = z.object({ id: z.int() }).safeParse(created?.body);
  if (!success) throw new Stopped();
  return data.id;
}

/** The request header that names a version of the users list, by the service's own document; as `idOf`. */
export function versionHeaderOf(document: Passed | undefined): string {
  const parameters = z.array(z.object({ name: z.string(), in: z.string() }));
  const shape = z.object({ paths: z.object({ "/users": z.object({ get: z.object({ parameters }) }) }) });
  const { success, data } = shape.safeParse(document?.body);
  const header =
    success && data.paths["/users"].get.parameters.find((parameter) => parameter.in === "header");
  if (!header) throw new Stopped();
  return header.name;
}

/** A text member of what a call gave; as `idOf`. */
export function textOf(given: Passed | undefined, member: string): string {
  const { success, data } = z.looseObject({ [member]: z.string() }).safeParse(given?.body);
  if (!success) throw new Stopped();
  return String(data[member]);
}

/** The path in the `Location` header of a call that created a record; as `idOf`. */
export function locationOf(created: Passed | undefined): string {
  if (created?.headers.location === undefined) throw new Stopped();
  return created.headers.location;
}

function keyOf({ method, pattern }: Route<never>): string {
  return `${method} ${pattern}`;
}

async function stoppable(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
}

function judge(
  response: ClientResponse,
  call: Call,
  route: Route<never> | undefined,
): { body: unknown; reason?: { reason: string } } {
  const { status, headers, text } = response;
  const because = (reason: string) => ({ body: undefined, reason: { reason } });
  if (status !== call.status) return because(`expected ${call.status}; ${shortened(text)}`);
  if (headers["x-request-id"] === undefined) return because("no x-request-id: not answered by a function");
  for (const [name, pattern] of Object.entries(call.carries ?? {})) {
    const value = headers[name];
    if (!pattern.test(String(value))) return because(`${name} is ${value ?? "not there"}, not ${pattern}`);
  }
  const body = bodyOf(response);
  const schema = route?.responses[status as Status];
  // Of bytes nothing is declared but their type, and what is compressed is not read.
  const isRead = schema && !isBytes(schema) && headers["content-encoding"] === undefined;
  const declared = isRead ? schema.safeParse(body) : undefined;
  if (declared && !declared.success) return because(`not as declared: ${z.prettifyError(declared.error)}`);
  if (call.has && !hasMembers(body, call.has)) return because(`not as expected: ${shortened(text)}`);
  const { includes } = call;
  if (includes && !(Array.isArray(body) && body.some((entry) => hasMembers(entry, includes))))
    return because(`${JSON.stringify(includes)} is not in the list`);
  return { body };
}

function bodyOf({ headers, text }: ClientResponse): unknown {
  if (text === "" || headers["content-encoding"] !== undefined) return undefined;
  return headers["content-type"]?.startsWith("application/json") ? JSON.parse(text) : text;
}

function hasMembers(value: unknown, members: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(members).every(([name, wanted]) =>
    isDeepStrictEqual((value as Record<string, unknown> | null | undefined)?.[name], wanted),
  );
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
