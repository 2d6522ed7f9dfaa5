import { messageOf } from "../../cli/errors.ts";
import { progress } from "../../cli/progress.ts";
import { type ExampleContext, fullRead, type SmokeCall } from "../../functions/define-area.ts";
import { allRoutes, definitions, routesByArea } from "../../functions/definitions.ts";
import {
  deletionOf,
  exampleOf,
  firstPage,
  idIn,
  type PreparedRequest,
  prepare,
  prepareWithRecords,
  type RecordSource,
  referencesOf,
  routeAt,
  toRequest,
} from "../../functions/example-requests.ts";
import type { SmokeMode } from "../../lib/construct-ids.ts";
import { statusByCode } from "../../lib/http/errors.ts";
import { isCreation, type Route } from "../../lib/http/route.ts";
import { UNUSED_ID } from "../../lib/http/warm-up.ts";
import {
  adminLogin,
  bearerHeader,
  type Headers,
  type TokenNeeds,
  tokenNeeds,
  tokenRoute,
} from "../credentials.ts";
import type { HttpClient, HttpRequest, HttpResponse } from "../http-client.ts";
import { type Expectation, mismatch } from "./mismatch.ts";

const BUDGET_MS = 35_000;

const reasons: Readonly<Record<SmokeMode, string>> = {
  complete: "an earlier call failed",
  "leave-nothing": "no route deletes what it creates or needs, or it reads every record",
  "read-only": "it writes, or reads every record",
};

interface SmokeOptions {
  readonly client: HttpClient;
  readonly unique: string;
  readonly apiKey: string | undefined;
  readonly adminPassword: string | undefined;
  readonly mode: SmokeMode;
}

export interface Step {
  readonly outcome: "pass" | "fail" | "not tested";
  readonly area: string;
  /** The route's key, or method and path if there is no such route. */
  readonly call: string;
  readonly status?: number;
  readonly milliseconds?: number;
  readonly reason?: string | undefined;
}

const areaOf = new Map(
  Object.entries(routesByArea).flatMap(([area, routes]) => routes.map(({ key }) => [key, area] as const)),
);

const notAnObject = { field: "body", message: "", type: "invalid_type" } as const;

/** A call cannot be made. The message says why. */
class NotTestable extends Error {}

/** Calls the routes of all areas with their example requests, and with what each area's `smoke` adds. */
export class SmokeTest {
  readonly steps: Step[] = [];
  readonly leftBehind: string[] = [];
  readonly #options: SmokeOptions;
  readonly #deadline = performance.now() + BUDGET_MS;
  readonly #source: RecordSource;
  readonly #responses = new Map<string, HttpResponse>();
  readonly #untested = new Set<string>();
  readonly #deletions: PreparedRequest[] = [];
  #needs: TokenNeeds = () => undefined;
  #adminLogin: Promise<HttpResponse | undefined> | undefined;

  constructor(options: SmokeOptions) {
    this.#options = options;
    const create = async (request: PreparedRequest) =>
      idIn((await this.#sendExample(request)).headers.location);
    this.#source = { ids: new Map(), unique: options.unique, create };
  }

  /** Also tests what no route has: a path, a method, a path below a prefix that needs a credential. */
  async run(): Promise<void> {
    const { needs, isClosed } = await tokenNeeds(this.#options.client);
    this.#needs = needs;
    if (isClosed) this.#untested.add(tokenRoute ?? "");
    for (const area of Object.keys(routesByArea)) {
      if (isClosed && definitions[area]?.tokenRoute) continue;
      progress(`Testing ${area}`);
      await this.#testArea(area);
    }
    const creation = allRoutes.find((route) => isCreation(route) && !route.authorizer);
    const guarded = allRoutes.find((route) => route.prefix !== undefined && route.authorizer);
    await this.#call({ method: "GET", target: "/no-such-path" }, { status: 404 });
    await this.#call({ method: "PATCH", target: creation?.pattern ?? "/" }, { status: 405 });
    if (guarded)
      await this.#call({ method: "GET", target: `${guarded.prefix}/no-such-path` }, { status: 401 });
    for (const request of this.#deletions.reverse()) await this.#send(request);
    const called = new Set(this.steps.map(({ call }) => call));
    for (const { key } of allRoutes) if (!called.has(key)) this.#skip(key, reasons[this.#options.mode]);
  }

  async #testArea(area: string): Promise<void> {
    const { mode } = this.#options;
    const routes = (routesByArea[area] ?? []).filter(
      ({ method }) => mode !== "read-only" || method === "GET",
    );
    const shown = routes.filter(({ key }) => !exampleOf(key, this.#context()).isIllustrative);
    const others = shown.filter((route) => !isCreation(route) && route.method !== "DELETE");
    for (const route of [...shown.filter(isCreation), ...others])
      await this.#attempt(route.key, async () => {
        if (this.#mayChange(route)) await this.#example(route.key);
        else if (route.method === "GET") await this.#readCautiously(route, area);
      });
    for (const route of routes) await this.#testRefusals(route);
    // What an area adds relies on all of its examples.
    if (mode === "leave-nothing" && routes.some((route) => isCreation(route) && !this.#mayChange(route)))
      return;
    const response = (key: string) => this.#responses.get(key) ?? { headers: {}, text: "" };
    for (const call of definitions[area]?.smoke?.({ ...this.#context(), response }) ?? [])
      await this.#attempt(call.route, () => this.#callAdditional(call));
  }

  /** Whether the example of a route may be sent, after those that it refers to. */
  #mayChange(route: Route): boolean {
    const { mode } = this.#options;
    const creations = [...referencesOf(route.key), ...(isCreation(route) ? [route.key] : [])];
    const areDeleted = creations.length > 0 && creations.every((key) => deletionOf(key) !== undefined);
    return mode === "complete" || (mode === "leave-nothing" && areDeleted);
  }

  async #attempt(key: string, call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof NotTestable)) throw error;
      if (!this.#untested.has(key)) this.#skip(key, error.message);
      this.#untested.add(key);
    }
  }

  async #example(key: string): Promise<HttpResponse> {
    return this.#responses.get(key) ?? this.#sendExample(await prepareWithRecords(key, this.#source));
  }

  async #sendExample(request: PreparedRequest): Promise<HttpResponse> {
    const { route } = request;
    const response = this.#untested.has(route.key) ? undefined : await this.#send(request);
    if (response === undefined) {
      this.#untested.add(route.key);
      throw new NotTestable("an earlier call failed");
    }
    this.#responses.set(route.key, response);
    if (isCreation(route)) {
      const { location } = response.headers;
      this.#source.ids.set(route.key, idIn(location));
      const deletion = deletionOf(route.key);
      const target = location?.replace(/^[./]*/, "/") ?? "";
      // Such as of a booking that POST /bookings/{id}/repeats creates.
      const other = deletion === undefined ? routeAt("DELETE", target) : undefined;
      if (deletion) this.#deletions.push(prepare(deletion, this.#context()));
      else if (other) this.#deletions.push({ route: other, method: "DELETE", target, body: undefined });
      else this.leftBehind.push(target || `what ${route.key} created`);
    }
    return response;
  }

  async #send(request: PreparedRequest, expected = successOf(request)): Promise<HttpResponse | undefined> {
    const headers = await this.#credentials(request.route);
    return this.#call({ ...request, headers }, expected);
  }

  async #readCautiously(route: Route, area: string): Promise<void> {
    const query = firstPage(route, 1);
    const isMissing = referencesOf(route.key).length > 0;
    if (!isMissing && !query && definitions[area]?.limits?.[route.key] === fullRead) return;
    const example = exampleOf(route.key, this.#context());
    const request = toRequest(route.key, { ...example, ...(query && { query }) });
    const response = await this.#send(request, isMissing ? { status: 404 } : undefined);
    if (response) this.#responses.set(route.key, response);
  }

  /** An invalid body, missing credentials, and those of an account without rights. */
  async #testRefusals(route: Route): Promise<void> {
    const { mode } = this.#options;
    // If it succeeded by mistake, it would change no record.
    const request = prepare(route.key, { ...this.#context(), id: () => UNUSED_ID });
    const { code = "ValidationError" } = route.onInvalid?.([notAnObject]) ?? {};
    if (isCreation(route))
      await this.#attempt(route.key, () =>
        this.#send({ ...request, body: null }, { status: statusByCode[code] }),
      );
    const needs = this.#needs(route);
    if (needs || (route.authorizer && !route.authorizer.isOptional))
      await this.#call(request, { status: 401 });
    if (needs === "admin" && mode === "complete")
      await this.#attempt(route.key, async () =>
        this.#call({ ...request, headers: await this.#loggedIn() }, { status: 403 }),
      );
  }

  async #callAdditional({ route: key, headers, ...call }: SmokeCall) {
    const { route } = prepare(key, this.#context());
    if (!this.#mayChange(route) && (route.method !== "GET" || referencesOf(key).length > 0)) return;
    await prepareWithRecords(key, this.#source);
    const request = toRequest(key, { ...exampleOf(key, this.#context()), ...call });
    const credentials = await this.#credentials(route);
    await this.#call({ ...request, headers: { ...credentials, ...headers } }, call);
  }

  /** @throws {NotTestable} if they are missing */
  async #credentials(route: Route): Promise<Headers> {
    const { apiKey, mode } = this.#options;
    const needs = this.#needs(route);
    if (needs) return needs === "admin" || mode !== "complete" ? this.#loggedInAsAdmin() : this.#loggedIn();
    if (route.authorizer === undefined || route.authorizer.isOptional) return {};
    const { issuedBy } = route.authorizer;
    if (issuedBy) {
      const { text } = this.#responses.get(issuedBy.route) ?? {};
      if (text === undefined) throw new NotTestable(`needs a key, which ${issuedBy.route} returns`);
      return { "x-api-key": JSON.parse(text)[issuedBy.field] };
    }
    if (apiKey === undefined) throw new NotTestable("needs --api-key");
    return { "x-api-key": apiKey };
  }

  /** The token of the account that the examples register. */
  async #loggedIn(): Promise<Headers> {
    if (tokenRoute === undefined) throw new NotTestable("no route returns a token");
    return bearerHeader((await this.#example(tokenRoute)).text);
  }

  async #loggedInAsAdmin(): Promise<Headers> {
    const { adminPassword } = this.#options;
    if (adminPassword === undefined) throw new NotTestable("needs --admin-password");
    if (this.#untested.has(tokenRoute ?? "")) throw new NotTestable("the login is closed");
    const request = adminLogin(adminPassword);
    this.#adminLogin ??= request && this.#call(request, successOf(request));
    const response = await this.#adminLogin;
    if (response === undefined) throw new NotTestable("the login failed");
    return bearerHeader(response.text);
  }

  /** Compares the response with what is expected and declared. @returns undefined if it failed */
  async #call(
    request: HttpRequest & { readonly route?: Route },
    expected: Expectation,
  ): Promise<HttpResponse | undefined> {
    const { route, method, target } = request;
    const call = route?.key ?? `${method} ${target}`;
    const step = { area: areaOf.get(call) ?? "", call };
    try {
      // What was created is deleted, however late it is.
      const remaining = method === "DELETE" ? 10_000 : this.#deadline - performance.now();
      if (remaining <= 0) throw new Error("No time left for the smoke test");
      const response = await this.#options.client.send(request, Math.min(10_000, remaining));
      const { status, milliseconds } = response;
      const reason = mismatch(response, expected, route);
      const outcome = reason === undefined ? "pass" : "fail";
      this.steps.push({ ...step, outcome, status, milliseconds, reason });
      return reason === undefined ? response : undefined;
    } catch (error) {
      this.steps.push({ ...step, outcome: "fail", reason: messageOf(error) });
      return undefined;
    }
  }

  #skip(key: string, reason: string): void {
    this.steps.push({ outcome: "not tested", area: areaOf.get(key) ?? "", call: key, reason });
  }

  #context(): ExampleContext {
    const { ids, unique } = this.#source;
    return { unique, id: (key) => ids.get(key) ?? UNUSED_ID };
  }
}

/**
 * The success with the values sent that it declares and does not compute, or the first error that a route without a
 * success declares.
 */
function successOf({ route, body }: PreparedRequest): Expectation {
  const [status = 200] = [route.responses, route.errors ?? {}].flatMap(Object.keys).map(Number);
  const isChange = isCreation(route) || route.method === "PUT" || route.method === "PATCH";
  if (!isChange || typeof body !== "object" || body === null || Array.isArray(body)) return { status };
  const declared = Object.entries(route.responses).find(([each]) => Number(each) === status)?.[1];
  const { shape = body } = declared as { readonly shape?: object };
  const { computed = [] } = definitions[areaOf.get(route.key) ?? ""] ?? {};
  const sent = Object.entries(body).filter(([name]) => name in shape && !computed.includes(name));
  return { status, response: Object.fromEntries(sent) };
}
