import * as z from "zod";
import { messageOf } from "../../cli/errors.ts";
import { type ExampleContext, fullRead } from "../../functions/define-area.ts";
import { allRoutes, definitions } from "../../functions/definitions.ts";
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
} from "../../functions/example-requests.ts";
import { isBytes, isCreation, type Route, type Status } from "../../lib/http/route.ts";
import { UNUSED_ID } from "../../lib/http/warm-up.ts";

/** The time for all calls. */
const BUDGET_MS = 35_000;

const Operation = z.object({
  security: z.array(z.record(z.string(), z.unknown())),
  responses: z.record(z.string(), z.unknown()),
});
/** What the smoke test reads of a deployment's document, which follows its access rules. */
export const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** The key of the route that returns a bearer token; undefined if no area has one. */
export const { tokenRoute } = Object.values(definitions).find((area) => area.tokenRoute) ?? {};

/** The request that logs in as `admin`, in its body, because query strings end up in logs. */
export function adminLogin(password: string): PreparedRequest | undefined {
  return tokenRoute === undefined
    ? undefined
    : toRequest(tokenRoute, { body: { username: "admin", password } });
}

interface SmokeOptions {
  /** Of the service, without a slash at its end. */
  readonly url: string;
  readonly document: z.output<typeof Document>;
  /** A part of the names of created records. */
  readonly unique: string;
  readonly apiKey: string | undefined;
  readonly adminPassword: string | undefined;
  readonly isReadOnly: boolean;
}

export interface Step {
  readonly outcome: "pass" | "fail" | "not tested";
  /** The route's key, or method and path if there is no such route. */
  readonly call: string;
  readonly status?: number;
  readonly milliseconds?: number;
  readonly reason?: string | undefined;
}

type SentRequest = Pick<PreparedRequest, "method" | "target"> &
  Partial<PreparedRequest> & { readonly headers?: Readonly<Record<string, string>> };
type Received = Readonly<{ status: number; headers: Headers; text: string }>;

/** A call cannot be made, or has failed. The message says why. */
class NotTestable extends Error {}

/** Calls every route with its example request, and those that need a credential also without one. */
export class SmokeTest {
  readonly steps: Step[] = [];
  /** Created records that no route deletes, in words. */
  readonly leftBehind: string[] = [];
  readonly #options: SmokeOptions;
  readonly #deadline = performance.now() + BUDGET_MS;
  readonly #ids = new Map<string, number>();
  readonly #examples = new Map<string, Promise<Received>>();
  readonly #deletions: PreparedRequest[] = [];
  #token: string | undefined;
  #isAdmin = false;

  constructor(options: SmokeOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    await this.#attempt(tokenRoute ?? "", () => this.#logIn());
    for (const route of allRoutes) {
      await this.#attempt(route.key, () => this.#testRefusal(route));
      await this.#attempt(route.key, () => this.#test(route));
    }
    await this.#attempt("", () => this.#call({ method: "GET", target: "/no-such-path" }, [404]));
    for (const request of this.#deletions.reverse())
      await this.#attempt(request.route.key, () => this.#send(request));
    const reason = this.#options.isReadOnly ? "it writes, or reads every record" : "an earlier call failed";
    const called = new Set(this.steps.map(({ call }) => call));
    for (const { key } of allRoutes) if (!called.has(key)) this.#skip(key, reason);
  }

  async #attempt(key: string, call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof NotTestable)) throw error;
      if (!this.steps.some(({ call, outcome }) => call === key && outcome !== "pass"))
        this.#skip(key, error.message);
    }
  }

  /** As administrator, or else as the account that the examples register. */
  async #logIn(): Promise<void> {
    const { adminPassword, isReadOnly } = this.#options;
    const login = adminPassword === undefined ? undefined : adminLogin(adminPassword);
    if (tokenRoute === undefined || (!login && isReadOnly)) return;
    const { text } = login ? await this.#send(login) : await this.#example(tokenRoute);
    this.#token = JSON.parse(text).access_token;
    this.#isAdmin = login !== undefined;
  }

  async #testRefusal(route: Route): Promise<void> {
    if (!this.#isGuarded(route) || (this.#options.isReadOnly && route.method !== "GET")) return;
    // If it succeeded by mistake, it would change no record.
    await this.#call(prepare(route.key, this.#context(new Map())), [401]);
  }

  async #test(route: Route): Promise<void> {
    const { key, method } = route;
    const { isReadOnly } = this.#options;
    // Its example is for no request that succeeds.
    if (exampleOf(key, this.#context()).isIllustrative) {
      if (!this.#isGuarded(route)) await this.#call(prepare(key, this.#context()), declaredStatuses(route));
    } else if (isReadOnly && method === "GET") await this.#readCautiously(route);
    else if (!isReadOnly && method !== "DELETE") await this.#example(key);
  }

  #example(key: string): Promise<Received> {
    const known = this.#examples.get(key) ?? this.#sendExample(key);
    this.#examples.set(key, known);
    return known;
  }

  async #sendExample(key: string): Promise<Received> {
    const create = async ({ route }: PreparedRequest) => idIn(locationOf(await this.#example(route.key)));
    const source = { ids: this.#ids, unique: this.#options.unique, create };
    const request = await prepareWithRecords(key, source);
    const received = await this.#send(request);
    if (!isCreation(request.route)) return received;
    this.#ids.set(key, idIn(locationOf(received)));
    const deletion = deletionOf(key);
    const target = locationOf(received)?.replace(/^[./]*/, "/") ?? "";
    // Such as of a booking that POST /bookings/{id}/repeats creates.
    const other = deletion === undefined ? routeAt("DELETE", target) : undefined;
    if (deletion) this.#deletions.push(prepare(deletion, this.#context()));
    else if (other) this.#deletions.push({ route: other, method: "DELETE", target, body: undefined });
    else this.leftBehind.push(target || `what ${key} created`);
    return received;
  }

  /** Reads one record of a list, or one that does not exist: reading may count a record. */
  async #readCautiously(route: Route): Promise<void> {
    const { key } = route;
    const query = firstPage(route, 1);
    const isMissing = referencesOf(key).length > 0;
    const isFullRead = Object.values(definitions).some(({ limits = {} }) => limits[key] === fullRead);
    if (!isMissing && !query && isFullRead) return;
    const request = toRequest(key, { ...exampleOf(key, this.#context()), ...(query && { query }) });
    await this.#send(request, isMissing ? [404] : undefined);
  }

  /** @param expected by default the success, or the first error of a route without one */
  async #send(request: PreparedRequest, expected = declaredStatuses(request.route).slice(0, 1)) {
    return this.#call({ ...request, headers: await this.#credentials(request.route) }, expected);
  }

  async #credentials(route: Route): Promise<Readonly<Record<string, string>>> {
    const { issuedBy, scheme } = route.authorizer ?? {};
    if (scheme === "apiKey") {
      const issued = issuedBy && JSON.parse((await this.#example(issuedBy.route)).text)[issuedBy.field];
      const key = issued ?? this.#options.apiKey;
      if (key === undefined) throw new NotTestable("needs --api-key");
      return { "x-api-key": key };
    }
    const isAdminNeeded = "403" in this.#operation(route).responses;
    if (this.#isGuarded(route) && !(this.#token && (this.#isAdmin || !isAdminNeeded)))
      throw new NotTestable("needs --admin-password");
    return this.#token ? { authorization: `Bearer ${this.#token}` } : {};
  }

  #operation({ pattern, method }: Route) {
    const operation = this.#options.document.paths[pattern]?.[method.toLowerCase()];
    if (operation === undefined) throw new NotTestable("this deployment does not have it");
    return operation;
  }

  #isGuarded(route: Route): boolean {
    const { security } = this.#operation(route);
    return security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0);
  }

  /** @throws {NotTestable} if it fails */
  async #call(request: SentRequest, expected: readonly number[]): Promise<Received> {
    const { route, method, target, body, headers } = request;
    const call = route?.key ?? `${method} ${target}`;
    const startedAt = performance.now();
    // What was created is deleted, however late it is.
    const remaining = method === "DELETE" ? BUDGET_MS : this.#deadline - startedAt;
    const measured: { status?: number; milliseconds?: number } = {};
    try {
      const response = await fetch(this.#options.url + target, {
        method,
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: "manual",
        signal: AbortSignal.timeout(Math.max(0, Math.min(10_000, remaining))),
      });
      const received = { status: response.status, headers: response.headers, text: await response.text() };
      Object.assign(measured, { status: response.status, milliseconds: performance.now() - startedAt });
      check(received, expected, route);
      this.steps.push({ outcome: "pass", call, ...measured });
      return received;
    } catch (error) {
      this.steps.push({ outcome: "fail", call, ...measured, reason: messageOf(error) });
      throw new NotTestable("an earlier call failed", { cause: error });
    }
  }

  #skip(call: string, reason: string): void {
    this.steps.push({ outcome: "not tested", call, reason });
  }

  #context(ids = this.#ids): ExampleContext {
    return { unique: this.#options.unique, id: (key) => ids.get(key) ?? UNUSED_ID };
  }
}

function locationOf({ headers }: Received): string | undefined {
  return headers.get("location") ?? undefined;
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
