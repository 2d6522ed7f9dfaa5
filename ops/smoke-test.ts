import * as z from "zod";
import { messageOf } from "../cli/errors.ts";
import { type ExampleContext, fullRead } from "../functions/define-area.ts";
import { allRoutes, definitions } from "../functions/definitions.ts";
import {
  deletionOf,
  exampleOf,
  firstPage,
  idIn,
  type PreparedRequest,
  prepare,
  prepareWithRecords,
  referencesOf,
  routeAt,
  toRequest,
} from "../functions/example-requests.ts";
import { isBytes, isCreation, type Route, type Status } from "../lib/http/route.ts";
import { UNUSED_ID } from "../lib/http/warm-up.ts";

const CALL_MS = 10_000;
/** The time for all calls but deletions. */
const BUDGET_MS = 40_000;

/** The key of the route that returns a bearer token; undefined if no area has one. */
export const { tokenRoute } = Object.values(definitions).find((area) => area.tokenRoute) ?? {};

/** The request that logs in as `admin`, in its body, because query strings end up in logs. */
export function adminLogin(route: string, password: string): PreparedRequest {
  return toRequest(route, { body: { username: "admin", password } });
}

type Operation = { readonly security: readonly object[]; readonly responses: object };
/** Of a deployment's document, which follows its access rules: operations by path and method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Target {
  /** Of the service, without a slash at its end. */
  readonly url: string;
  readonly paths: Paths;
  /** A part of the names of created records. */
  readonly unique: string;
  readonly apiKey: string | undefined;
  readonly adminPassword: string | undefined;
  readonly isReadOnly: boolean;
}

export type Outcome = "pass" | "FAIL" | "not tested";
type Report = (outcome: Outcome, call: string, details: string) => void;
type Received = Readonly<{ status: number; headers: Headers; text: string }>;

/** A call cannot be made, or has failed. The message says why. */
class NotTestable extends Error {}

/** Calls every route with its example request, and those that need a credential also without one. */
export class SmokeTest {
  readonly #target: Target;
  readonly #report: Report;
  readonly #deadline = AbortSignal.timeout(BUDGET_MS);
  readonly #ids = new Map<string, number>();
  readonly #examples = new Map<string, Promise<Received>>();
  /** The paths of created records, by the route that created them. */
  readonly #locations = new Map<string, string>();
  readonly #failed = new Set<string>();
  #token: string | undefined;

  constructor(target: Target, report: Report) {
    this.#target = target;
    this.#report = report;
  }

  /** @returns the routes that created what no route deletes */
  async run(): Promise<readonly string[]> {
    await this.#attempt(tokenRoute ?? "", () => this.#logIn());
    for (const route of allRoutes) await this.#attempt(route.key, () => this.#test(route));
    await this.#attempt("GET /no-such-path", () =>
      this.#call({ method: "GET", target: "/no-such-path" }, [404]),
    );
    const left: string[] = [];
    for (const key of [...this.#ids.keys()].reverse()) {
      const deletion = this.#deletion(key);
      if (deletion) await this.#attempt(deletion.route.key, () => this.#send(deletion));
      else left.push(key);
    }
    return left;
  }

  #deletion(creation: string): PreparedRequest | undefined {
    const key = deletionOf(creation);
    if (key) return prepare(key, this.#context());
    // Such as of a booking that POST /bookings/{id}/repeats creates.
    const target = this.#locations.get(creation) ?? "";
    const route = routeAt("DELETE", target);
    return route && { route, method: "DELETE", target, body: undefined };
  }

  async #attempt(key: string, call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof NotTestable)) throw error;
      if (!this.#failed.has(key)) this.#report("not tested", key, error.message);
      this.#failed.add(key);
    }
  }

  /** As administrator, or else as the account that the examples register. */
  async #logIn(): Promise<void> {
    const { adminPassword: password, isReadOnly } = this.#target;
    if (tokenRoute === undefined || (password === undefined && isReadOnly)) return;
    const login = password === undefined ? undefined : adminLogin(tokenRoute, password);
    const { text } = login ? await this.#send(login) : await this.#example(tokenRoute);
    this.#token = JSON.parse(text).access_token;
  }

  async #test(route: Route): Promise<void> {
    const { key, method } = route;
    const { isReadOnly } = this.#target;
    const isGuarded = this.#isGuarded(route);
    const example = exampleOf(key, this.#context());
    const query = firstPage(route, 1);
    const page = query && { query };
    // Reading a record may count it, so one is read that does not exist.
    const isMissing = referencesOf(key).length > 0;
    if (isReadOnly && !isHarmless(route)) throw new NotTestable("it writes, or reads every record");
    // If it succeeded by mistake, it would change no record.
    if (isGuarded) await this.#call(prepare(key, this.#context(new Map())), [401]);
    if (example.isIllustrative && isGuarded) return;
    if (example.isIllustrative) await this.#call(prepare(key, this.#context()), declaredStatuses(route));
    else if (isReadOnly)
      await this.#send(toRequest(key, { ...example, ...page }), isMissing ? [404] : undefined);
    else if (method === "DELETE") await this.#prepare(key);
    else await this.#example(key);
  }

  #example(key: string): Promise<Received> {
    const known = this.#examples.get(key) ?? this.#sendExample(key);
    this.#examples.set(key, known);
    return known;
  }

  async #sendExample(key: string): Promise<Received> {
    const request = await this.#prepare(key);
    const received = await this.#send(request);
    if (!isCreation(request.route)) return received;
    this.#ids.set(key, idOf(received));
    this.#locations.set(key, received.headers.get("location")?.replace(/^[./]*/, "/") ?? "");
    return received;
  }

  #prepare(key: string): Promise<PreparedRequest> {
    const create = async ({ route }: PreparedRequest) => idOf(await this.#example(route.key));
    return prepareWithRecords(key, { ids: this.#ids, unique: this.#target.unique, create });
  }

  /** @param expected by default the success, or the first error of a route without one */
  async #send(request: PreparedRequest, expected = declaredStatuses(request.route).slice(0, 1)) {
    return this.#call({ ...request, headers: await this.#credentials(request.route) }, expected);
  }

  async #credentials(route: Route): Promise<Readonly<Record<string, string>>> {
    const { issuedBy, scheme } = route.authorizer ?? {};
    if (scheme === "apiKey") {
      const issued = issuedBy && JSON.parse((await this.#example(issuedBy.route)).text)[issuedBy.field];
      const key = issued ?? this.#target.apiKey;
      if (key === undefined) throw new NotTestable("needs API_KEY");
      return { "x-api-key": key };
    }
    const isEnough = this.#target.adminPassword !== undefined || !("403" in this.#operation(route).responses);
    if (this.#isGuarded(route) && !(this.#token && isEnough)) throw new NotTestable("needs ADMIN_PASSWORD");
    return this.#token ? { authorization: `Bearer ${this.#token}` } : {};
  }

  #operation({ pattern, method }: Route) {
    const operation = this.#target.paths[pattern]?.[method.toLowerCase()];
    if (operation === undefined) throw new NotTestable("this deployment does not have it");
    return operation;
  }

  #isGuarded(route: Route): boolean {
    const { security } = this.#operation(route);
    return security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0);
  }

  /** @throws {NotTestable} if it fails */
  async #call(
    request: Pick<PreparedRequest, "method" | "target"> & Partial<PreparedRequest> & { headers?: object },
    expected: readonly number[],
  ): Promise<Received> {
    const { route, method, target, body, headers } = request;
    const call = route?.key ?? `${method} ${target}`;
    const startedAt = performance.now();
    const timeout = AbortSignal.timeout(CALL_MS);
    let status = 0;
    const measured = () => `${String(status || "").padEnd(3)}  ${(performance.now() - startedAt).toFixed(0)}`;
    try {
      const response = await fetch(this.#target.url + target, {
        method,
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: "manual",
        // What was created is deleted, however late it is.
        signal: method === "DELETE" ? timeout : AbortSignal.any([timeout, this.#deadline]),
      });
      ({ status } = response);
      const received = { status, headers: response.headers, text: await response.text() };
      check(received, expected, route);
      this.#report("pass", call, measured());
      return received;
    } catch (error) {
      this.#failed.add(call);
      this.#report("FAIL", call, `${measured()}  ${messageOf(error).replace(/\s*\n\s*/g, "; ")}`);
      throw new NotTestable("an earlier call failed", { cause: error });
    }
  }

  #context(ids = this.#ids): ExampleContext {
    return { unique: this.#target.unique, id: (key) => ids.get(key) ?? UNUSED_ID };
  }
}

function idOf({ headers }: Received): number {
  return idIn(headers.get("location") ?? undefined);
}

/** Whether the test of a deployment that people use may call a route. */
function isHarmless(route: Route): boolean {
  const { key, method } = route;
  const isFullRead = Object.values(definitions).some(({ limits = {} }) => limits[key] === fullRead);
  const isBounded = referencesOf(key).length > 0 || firstPage(route, 1) !== undefined;
  return method === "GET" && (isBounded || !isFullRead);
}

function declaredStatuses({ responses, errors = {} }: Route): number[] {
  return [responses, errors].flatMap((each) => Object.keys(each).map(Number));
}

/** @throws Error if the response is not as declared */
function check({ status, headers, text }: Received, expected: readonly number[], route?: Route): void {
  if (!expected.includes(status)) throw new Error(`expected ${expected.join(" or ")}; ${text.slice(0, 200)}`);
  if (!headers.has("x-request-id")) throw new Error("no x-request-id: not sent by a function");
  const schema = route?.responses[status as Status];
  // Bytes are only declared by their media type.
  if (schema === undefined || isBytes(schema)) return;
  const isJson = headers.get("content-type")?.startsWith("application/json");
  const { error } = schema.safeParse(text === "" ? undefined : isJson ? JSON.parse(text) : text);
  if (error) throw new Error(`not as declared: ${z.prettifyError(error)}`);
}
