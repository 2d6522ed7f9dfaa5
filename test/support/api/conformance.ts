import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { fieldErrorTypes } from "../../../lib/domain/errors.ts";
import type { ErrorFormat, ErrorStatus } from "../../../lib/http/errors.ts";
import { errorHeaders, PROBLEM_MEDIA_TYPE, statusByCode } from "../../../lib/http/errors.ts";
import { declaredErrors, protocolOf } from "../../../lib/http/protocol.ts";
import type { Route, Status } from "../../../lib/http/route.ts";
import { errorFormatOf, isBytes, mediaTypesOf, needsCredential } from "../../../lib/http/route.ts";
import { createRouter } from "../../../lib/http/router.ts";
import { routes } from "../own-access.ts";

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON value where the answer is JSON, else the text; undefined for an empty body. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is checked by its declaration
  readonly body: any;
  readonly text: string;
  /** Of the request, which relative references start from. */
  readonly target?: string;
}

const findRoute = createRouter(routes);

const structured = {
  Conflict: z.strictObject({ error: z.literal("Conflict"), message: z.string(), field: z.string() }),
  ValidationError: z.strictObject({
    error: z.literal("ValidationError"),
    message: z.literal("Request validation failed"),
    details: z
      .array(z.strictObject({ field: z.string(), message: z.string(), type: z.enum(fieldErrorTypes) }))
      .check(z.minLength(1)),
  }),
};

const errorFormats: Record<ErrorFormat, z.ZodMiniType> = {
  error: z.strictObject({ error: z.string() }),
  detail: z.strictObject({ detail: z.string() }),
  structured: z.strictObject({ error: z.string(), message: z.string(), path: z.url() }),
  envelope: z.strictObject({ success: z.literal(false), data: z.null(), error: z.string() }),
  empty: z.undefined(),
};

const problem = z.strictObject({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.url(),
  code: z.string(),
  field: z.optional(z.string()),
  errors: z.optional(structured.ValidationError.shape.details),
});

/** Errors that every route can have without declaring them. */
const UNDECLARED_ERRORS = [
  statusByCode.ServiceUnavailable,
  statusByCode.TooManyRequests,
  statusByCode.UnsupportedMediaType,
];

/** Checks a response against the declaration of its route. @throws Error that names the difference */
export function checkConformance(method: string, target: string, response: ApiResponse): void {
  const { status, headers, body } = response;
  const mismatch: Mismatch = (what) =>
    new Error(`${method} ${target} → ${status} ${JSON.stringify(body)}\n${what}`);
  if (headers.get("x-request-id") === null) throw mismatch("Every response must have x-request-id");
  if (headers.get("x-content-type-options") !== "nosniff") throw mismatch("Every response must have nosniff");

  const path = decodeURIComponent(target.replace(/\?.*$/s, ""));
  // A HEAD has no body, and the headers of a GET, with which its spec compares them.
  if (method === "HEAD") return;
  const { route } = findRoute(method, path);
  const isDemonstration =
    status === statusByCode.InternalServerError && route?.errors?.[status] !== undefined;
  if (status >= 500 && status !== 503 && !isDemonstration) throw mismatch("Server errors are not allowed");
  if (status >= 400 && headers.get("vary")?.startsWith("accept") !== true)
    throw mismatch("The form of every error depends on Accept");
  if (route === undefined) {
    checkWithoutRoute(response, mismatch);
    return;
  }
  const mayBeStored =
    method === "GET" && status < 400 && !needsCredential(route) && route.cache === undefined;
  const caching = headers.get("cache-control");
  if (caching === null || (caching === "no-store") === mayBeStored)
    throw mismatch("Exactly the successful reads that need no credential may be stored");
  if (status < 400) checkSuccess(route, withoutObject(target, response), mismatch);
  else checkError(route, response, mismatch);
}

function withoutObject(target: string, response: ApiResponse): ApiResponse {
  if (!target.includes("lists=objects") || !isPlainObject(response.body)) return response;
  const { next: _, ...body } = response.body;
  return { ...response, body: Object.keys(body).join() === "items" ? body.items : body };
}

function isPlainObject(body: unknown): boolean {
  return typeof body === "object" && body !== null && !Array.isArray(body);
}

type Mismatch = (what: string) => Error;

function checkWithoutRoute({ status, headers }: ApiResponse, mismatch: Mismatch): void {
  const withAllow = [204, statusByCode.MethodNotAllowed];
  if (![401, 404, ...withAllow, ...UNDECLARED_ERRORS].includes(status))
    throw mismatch("Unknown operations must respond with 401, 404 or 405, OPTIONS with 204");
  if (headers.has("allow") !== withAllow.includes(status))
    throw mismatch("Allow belongs to a 405, and to a 204 to OPTIONS");
}

function checkSuccess(route: Route, { status, headers, body }: ApiResponse, mismatch: Mismatch): void {
  const protocol = protocolOf(route);
  if (status === 304 && protocol.canBeNotModified && body === undefined) {
    checkHeaders(headers, { required: protocol.responseHeaders, optional: ["vary"] }, mismatch);
    // It replaces the type that caches have stored.
    if (!mediaTypesOf(route.responses[200]).includes(headers.get("content-type") ?? ""))
      throw mismatch("A 304 must have the type of its 200");
    return;
  }
  const schema = route.responses[status as Status];
  if (schema === undefined) throw mismatch(`${route.key} does not declare this status`);
  const own = route.responseHeaders?.[status as Status] ?? [];
  const required = [...own, ...protocol.responseHeaders];
  const optional = [...protocol.possibleHeaders, ...own.filter(dependsOnStage)];
  checkHeaders(headers, { required, optional }, mismatch);
  if (body !== undefined && !mediaTypesOf(schema).includes(headers.get("content-type") ?? ""))
    throw mismatch(`The content type is not ${mediaTypesOf(schema).join(" or ")}`);
  if (isBytes(schema)) return;
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw mismatch(z.prettifyError(parsed.error));
  if (!isDeepStrictEqual(parsed.data, body)) throw mismatch("The body has undeclared fields");
}

function checkError(route: Route, { status, headers, body }: ApiResponse, mismatch: Mismatch): void {
  const errors = declaredErrors(route);
  const declared = [
    ...errors.map(([declaredStatus]) => declaredStatus),
    ...UNDECLARED_ERRORS,
    route.onInvalid ? statusByCode.InvalidArgument : statusByCode.ValidationError,
  ];
  if (!declared.includes(status)) throw mismatch(`${route.key} does not declare this error`);
  const { required, optional } = expectedErrorHeaders(errors, status);
  checkHeaders(headers, { required: [...required, "cache-control"], optional }, mismatch);
  const isProblem = headers.get("content-type") === PROBLEM_MEDIA_TYPE;
  const parsed = (isProblem ? problem : errorShape(route, status as ErrorStatus)).safeParse(body);
  if (!parsed.success) throw mismatch(z.prettifyError(parsed.error));
}

const DECLARED_HEADERS = [
  ...["allow", "cache-control", "etag", "idempotency-replayed", "link", "location"],
  ...["retry-after", "vary", "www-authenticate"],
];

interface ExpectedHeaders {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

function dependsOnStage(name: string): boolean {
  return ["cache-control", "content-encoding"].includes(name);
}

/** The headers of the declared errors with a status: required if all of them have it. */
function expectedErrorHeaders(errors: ReturnType<typeof declaredErrors>, status: number): ExpectedHeaders {
  if (status === statusByCode.ServiceUnavailable || status === statusByCode.TooManyRequests)
    return { required: ["retry-after"], optional: [] };
  const headerNames = errors
    .filter(([declared]) => declared === status)
    .map(([, { example }]) => Object.keys(errorHeaders(example)));
  const isInAll = (name: string) => headerNames.every((names) => names.includes(name));
  const names = headerNames.flat();
  return { required: names.filter(isInAll), optional: names.filter((name) => !isInAll(name)) };
}

function checkHeaders(headers: Headers, { required, optional }: ExpectedHeaders, mismatch: Mismatch): void {
  // Every response may be compressed without a declaration.
  const undeclaredNames = ["", "accept", "accept-encoding"];
  const varies = (headers.get("vary") ?? "").split(/,\s*/).some((name) => !undeclaredNames.includes(name));
  const needsDeclaration = (name: string) => (name === "vary" ? varies : headers.has(name));
  const missing = required.filter((name) => !headers.has(name) && !optional.includes(name));
  const known = [...required, ...optional];
  const undeclared = DECLARED_HEADERS.filter((name) => needsDeclaration(name) && !known.includes(name));
  if (missing.length > 0) throw mismatch(`The header is missing: ${missing.join(", ")}`);
  if (undeclared.length > 0) throw mismatch(`The header is not declared: ${undeclared.join(", ")}`);
}

function errorShape(route: Route, status: ErrorStatus): z.ZodMiniType {
  if (status === statusByCode.ValidationError) return structured.ValidationError;
  if (status === statusByCode.Conflict) return structured.Conflict;
  const declared = errorFormats[errorFormatOf(route, status)];
  return route.onInvalid && status === statusByCode.InvalidArgument
    ? z.union([declared, errorFormats[route.errorFormat]])
    : declared;
}
