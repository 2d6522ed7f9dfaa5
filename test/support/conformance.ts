import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { routesByGroup } from "../../functions/routes.ts";
import { fieldErrorTypes } from "../../lib/domain/errors.ts";
import { type ErrorFormat, type ErrorStatus, statusByCode } from "../../lib/http/errors.ts";
import { isBytes, mediaTypesOf } from "../../lib/http/media-types.ts";
import { declaredErrors, protocolOf } from "../../lib/http/protocol.ts";
import { errorFormatOf, type Route, type Status } from "../../lib/http/route.ts";
import { createRouter } from "../../lib/http/router.ts";

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON value where the answer is JSON, else the text; undefined for an empty body. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is checked by its declaration
  readonly body: any;
  /** The body as it came. */
  readonly text: string;
}

const find = createRouter(Object.values(routesByGroup).flat() as readonly Route<never>[]);

const structured = {
  Conflict: z.strictObject({ error: z.literal("Conflict"), message: z.string(), field: z.string() }),
  ValidationError: z.strictObject({
    error: z.literal("ValidationError"),
    message: z.literal("Request validation failed"),
    details: z
      .array(z.strictObject({ field: z.string(), message: z.string(), type: z.enum(fieldErrorTypes) }))
      .min(1),
  }),
};

const dialects: Record<ErrorFormat, z.ZodType> = {
  error: z.strictObject({ error: z.string() }),
  detail: z.strictObject({ detail: z.string() }),
  structured: z.strictObject({ error: z.string(), message: z.string(), path: z.url() }),
  envelope: z.strictObject({ success: z.literal(false), data: z.null(), error: z.string() }),
  empty: z.undefined(),
};

/** Failures that any request can meet without a declaration. */
const ALWAYS = [statusByCode.ServiceUnavailable, statusByCode.TooManyRequests];

/**
 * Holds an answer against the declaration of the route that gave it.
 *
 * @throws Error that says what the declaration does not allow
 */
export function checkConformance(
  method: string,
  target: string,
  { status, headers, body }: ApiResponse,
): void {
  const complaint = (what: string) =>
    new Error(`${method} ${target} → ${status} ${JSON.stringify(body)}\n${what}`);
  if (headers.get("x-request-id") === null) throw complaint("Every response carries x-request-id");

  const path = decodeURIComponent(target.replace(/\?.*$/s, ""));
  const { route } = find(method, path);
  const isOnPurpose = status === statusByCode.Demonstration && route?.errors?.[status] !== undefined;
  if (status >= 500 && status !== 503 && !isOnPurpose) throw complaint("A server error is always a defect");
  if (route === undefined) {
    if (![401, 404, 405, ...ALWAYS].includes(status))
      throw complaint("No such operation: 401, 404 or 405 expected");
    if (headers.has("allow") !== (status === statusByCode.MethodNotAllowed))
      throw complaint("Allow belongs to 405, and to nothing else");
    return;
  }
  const protocol = protocolOf(route);
  if (status < 400) {
    const brought = Object.keys(protocol.responseHeaders);
    if (status === 304 && protocol.canBeNotModified && body === undefined) {
      checkHeaders(headers, { always: brought, possibly: ["cache-control", "vary"] }, complaint);
      return;
    }
    const schema = route.responses[status as Status];
    if (schema === undefined)
      throw complaint(`${route.method} ${route.pattern} does not declare this status`);
    const own = route.responseHeaders?.[status as Status] ?? [];
    const possibly = [...Object.keys(protocol.possibleHeaders), ...own.filter(dependsOnStage)];
    checkHeaders(headers, { always: [...own, ...brought], possibly }, complaint);
    if (body !== undefined && !mediaTypesOf(schema).includes(headers.get("content-type") ?? ""))
      throw complaint(`The content type is not ${mediaTypesOf(schema).join(" or ")}`);
    if (isBytes(schema)) return;
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw complaint(z.prettifyError(parsed.error));
    if (!isDeepStrictEqual(parsed.data, body)) throw complaint("The body has more than its declaration");
    return;
  }
  const failures = declaredErrors(route);
  const declared = [
    ...failures.map(([each]) => each),
    ...ALWAYS,
    route.onInvalid ? statusByCode.InvalidArgument : statusByCode.ValidationError,
  ];
  if (!declared.includes(status))
    throw complaint(`${route.method} ${route.pattern} does not declare this failure`);
  checkHeaders(headers, headersOfFailures(failures, status), complaint);
  const shape = failureShape(route, status as ErrorStatus);
  const parsed = shape.safeParse(body);
  if (!parsed.success) throw complaint(z.prettifyError(parsed.error));
}

/** The headers that a declaration names where its answers have them. */
const DECLARED_HEADERS = [
  "allow",
  "cache-control",
  "etag",
  "idempotency-replayed",
  "link",
  "location",
  "retry-after",
  "vary",
  "www-authenticate",
];

/** The headers that an answer has to have, and those beside them that it may have. */
interface Expected {
  readonly always: readonly string[];
  readonly possibly: readonly string[];
}

/** These depend on more than the route: on the stage, and on what the client takes. */
function dependsOnStage(name: string): boolean {
  return ["cache-control", "content-encoding"].includes(name);
}

/** What the declared failures of a status carry: all of them, or some. */
function headersOfFailures(failures: ReturnType<typeof declaredErrors>, status: number): Expected {
  if (status === statusByCode.ServiceUnavailable) return { always: ["retry-after"], possibly: [] };
  const each = failures
    .filter(([declared]) => declared === status)
    .map(([, { example }]) => Object.keys(example.headers));
  const isInAll = (name: string) => each.every((names) => names.includes(name));
  const named = each.flat();
  return { always: named.filter(isInAll), possibly: named.filter((name) => !isInAll(name)) };
}

function checkHeaders(
  headers: Headers,
  { always, possibly }: Expected,
  complaint: (what: string) => Error,
): void {
  // Any answer may be compressed, and then says so without a declaration.
  const varies = (headers.get("vary") ?? "").split(/,\s*/).some((name) => name && name !== "accept-encoding");
  const needsDeclaration = (name: string) => (name === "vary" ? varies : headers.has(name));
  const missing = always.filter((name) => !headers.has(name) && !possibly.includes(name));
  const known = [...always, ...possibly];
  const more = DECLARED_HEADERS.filter((name) => needsDeclaration(name) && !known.includes(name));
  if (missing.length > 0) throw complaint(`There is no header ${missing.join(", ")}`);
  if (more.length > 0) throw complaint(`The declaration says nothing of the header ${more.join(", ")}`);
}

function failureShape(route: Route<never>, status: ErrorStatus): z.ZodType {
  if (status === statusByCode.ValidationError) return structured.ValidationError;
  if (status === statusByCode.Conflict) return structured.Conflict;
  const own = dialects[errorFormatOf(route, status)];
  return route.onInvalid && status === statusByCode.InvalidArgument
    ? z.union([own, dialects[route.errorFormat]])
    : own;
}
