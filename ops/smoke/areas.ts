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
  toRequest,
} from "../../functions/example-requests.ts";
import type { SmokeMode } from "../../lib/construct-ids.ts";
import { statusByCode } from "../../lib/http/errors.ts";
import { isCreation, type Route } from "../../lib/http/route.ts";
import { UNUSED_ID } from "../../lib/http/warm-up.ts";
import { adminLogin, bearerHeader, type Headers, needsAdmin, tokenRoute } from "../credentials.ts";
import type { HttpResponse } from "../http-client.ts";
import type { Expectation, SmokeTest } from "./smoke-test.ts";

interface AreaOptions {
  readonly test: SmokeTest;
  /** Part of the names of created records: letters, digits and underscores. */
  readonly unique: string;
  /** A static key. */
  readonly apiKey: string | undefined;
  /** The password of the account `admin`. */
  readonly adminPassword: string | undefined;
  readonly mode: SmokeMode;
}

/** A call cannot be made. The message says why. */
class NotTestable extends Error {}

/** Calls the routes of all areas with their example requests, and with what each area's `smoke` adds. */
export class AreasTest {
  /** Created records that no route deletes, in words. */
  readonly leftBehind: string[] = [];
  readonly #options: AreaOptions;
  readonly #source: RecordSource;
  readonly #responses = new Map<string, HttpResponse>();
  /** Routes whose example failed or could not be sent. */
  readonly #untested = new Set<string>();
  readonly #deletions: PreparedRequest[] = [];
  #adminLogin: Promise<HttpResponse | undefined> | undefined;

  constructor(options: AreaOptions) {
    this.#options = options;
    const create = async (request: PreparedRequest) =>
      idIn((await this.#sendExample(request)).headers.location);
    this.#source = { ids: new Map(), unique: options.unique, create };
  }

  /**
   * Tests every area, and what no route has: a path, a method, a path below a prefix that needs a credential. Then
   * deletes the records that can be deleted, the last one first.
   */
  async testAll(): Promise<void> {
    for (const area of Object.keys(routesByArea)) {
      progress(`Testing ${area}`);
      await this.#testArea(area);
    }
    const { test } = this.#options;
    const creation = allRoutes.find((route) => isCreation(route) && !route.authorizer);
    const guarded = allRoutes.find((route) => route.prefix !== undefined && route.authorizer);
    await test.call({ method: "GET", target: "/no-such-path" }, { status: 404 });
    await test.call({ method: "PATCH", target: creation?.pattern ?? "/" }, { status: 405 });
    if (guarded)
      await test.call({ method: "GET", target: `${guarded.prefix}/no-such-path` }, { status: 401 });
    for (const request of this.#deletions.reverse()) await this.#send(request);
  }

  /** Tests an area: creations, then reads and changes, then refused and special requests. */
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
      await this.#attempt(call.route, () => this.#callBeyond(call));
  }

  /** Whether the example of a route may be sent, after those that it refers to. */
  #mayChange(route: Route): boolean {
    const { mode } = this.#options;
    const creations = [...referencesOf(route.key), ...(isCreation(route) ? [route.key] : [])];
    const areDeleted = creations.length > 0 && creations.every((key) => deletionOf(key) !== undefined);
    return mode === "complete" || (mode === "leave-nothing" && areDeleted);
  }

  /** Records a route as not tested if the call cannot be made. */
  async #attempt(key: string, call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof NotTestable)) throw error;
      if (!this.#untested.has(key)) this.#options.test.skip(key, error.message);
      this.#untested.add(key);
    }
  }

  /** The response to the example request of a route, which is sent once. */
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
      const { location = `what ${route.key} created` } = response.headers;
      this.#source.ids.set(route.key, idIn(response.headers.location));
      const deletion = deletionOf(route.key);
      if (deletion === undefined) this.leftBehind.push(location);
      else this.#deletions.push(prepare(deletion, this.#context()));
    }
    return response;
  }

  async #send(request: PreparedRequest, expected = successOf(request)): Promise<HttpResponse | undefined> {
    const headers = await this.#credentials(request.route);
    return this.#options.test.call({ ...request, headers }, expected);
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
    const { test, mode } = this.#options;
    // If it succeeded by mistake, it would change no record.
    const request = prepare(route.key, { ...this.#context(), id: () => UNUSED_ID });
    if (isCreation(route))
      await this.#attempt(route.key, () =>
        this.#send({ ...request, body: null }, { status: statusOfInvalid(route) }),
      );
    if (route.authorizer && !route.authorizer.isOptional) await test.call(request, { status: 401 });
    if (needsAdmin(route) && mode === "complete")
      await this.#attempt(route.key, async () => {
        await test.call({ ...request, headers: await this.#loggedIn() }, { status: 403 });
      });
  }

  async #callBeyond({ route: key, headers, ...call }: SmokeCall) {
    const { route } = prepare(key, this.#context());
    if (!this.#mayChange(route) && (route.method !== "GET" || referencesOf(key).length > 0)) return;
    await prepareWithRecords(key, this.#source);
    const request = toRequest(key, { ...exampleOf(key, this.#context()), ...call });
    const credentials = await this.#credentials(route);
    await this.#options.test.call({ ...request, headers: { ...credentials, ...headers } }, call);
  }

  /** @throws {NotTestable} if they are missing */
  async #credentials(route: Route): Promise<Headers> {
    const { apiKey, mode } = this.#options;
    if (route.authorizer === undefined || route.authorizer.isOptional) return {};
    if (route.authorizer.scheme === "bearer")
      return needsAdmin(route) || mode !== "complete" ? this.#loggedInAsAdmin() : this.#loggedIn();
    if (apiKey === undefined) throw new NotTestable("needs --api-key");
    return { "x-api-key": apiKey };
  }

  /** The token of the account that the examples register. */
  async #loggedIn(): Promise<Headers> {
    if (tokenRoute === undefined) throw new NotTestable("no route returns a token");
    return bearerHeader((await this.#example(tokenRoute)).text);
  }

  async #loggedInAsAdmin(): Promise<Headers> {
    const { test, adminPassword } = this.#options;
    if (adminPassword === undefined) throw new NotTestable("needs --admin-password");
    const request = adminLogin(adminPassword);
    this.#adminLogin ??= request && test.call(request, successOf(request));
    const response = await this.#adminLogin;
    if (response === undefined) throw new NotTestable("the login failed");
    return bearerHeader(response.text);
  }

  #context(): ExampleContext {
    const { ids, unique } = this.#source;
    return { unique, id: (key) => ids.get(key) ?? UNUSED_ID };
  }
}

/** What the example request of a route expects. A route without a success fails with the first error that it declares. */
function successOf({ route, body }: PreparedRequest): Expectation {
  const [status = 200] = [route.responses, route.errors ?? {}].flatMap(Object.keys).map(Number);
  const isChange = isCreation(route) || route.method === "PUT" || route.method === "PATCH";
  if (!isChange || typeof body !== "object" || body === null || Array.isArray(body)) return { status };
  const sent = Object.entries(body).filter(([name]) => !route.secretFields?.includes(name));
  return { status, response: Object.fromEntries(sent) };
}

/** The status of an invalid request. */
function statusOfInvalid({ onInvalid }: Route): number {
  const error = onInvalid?.([{ field: "body", message: "", type: "invalid_type" }]);
  return statusByCode[error?.code ?? "ValidationError"];
}
