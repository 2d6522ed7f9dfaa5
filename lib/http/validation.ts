import * as z from "zod";
import { type FieldError, type FieldErrorType, fieldErrorTypes, validationError } from "../domain/errors.ts";
import { readJson, readParameters } from "./body.ts";
import { validateIdempotencyKey } from "./idempotency.ts";
import { splitTarget, withParameters } from "./links.ts";
import type { RawRequest } from "./request.ts";
import type { Route, ValidRequest } from "./route.ts";

/** As many mistakes as one answer lists: a list of nothing but mistakes would burst the 6 MB of an answer. */
const MAX_FIELD_ERRORS = 1_000;

/**
 * Holds a request against its declaration: path, query, headers and body, all of them, so that the client
 * learns of every mistake at idempotency.
 *
 * @param route the declaration
 * @param path the placeholders' values, percent-decoded
 * @param request the request as it came
 * @returns what the handler receives
 * @throws ApiError `ValidationError` with every failure found, up to a thousand
 */
export function validate(
  route: Route<never>,
  path: Readonly<Record<string, string>>,
  request: RawRequest,
): Omit<ValidRequest<never, never, never, never>, "caller" | "precondition" | "idempotency"> {
  const failed: FieldError[] = [];
  const parameters = parametersOf(route, request);
  const part = (place: string, schema: z.ZodType | undefined, value: unknown): never => {
    if (schema === undefined) return undefined as never;
    const result = schema.safeParse(value, { reportInput: true });
    for (const issue of result.error?.issues.slice(0, MAX_FIELD_ERRORS - failed.length) ?? []) {
      const isInBody = place === "query" && parameters.inBody.includes(String(issue.path[0]));
      failed.push(describe(isInBody ? "body" : place, issue));
    }
    return result.data as never;
  };
  const valid = {
    path: part("path", route.path, path),
    query: part("query", route.query, parameters.value),
    headers: part("headers", route.headers, request.headers),
    body: undefined as never,
    bodyText: "",
    url: request.url,
    address: request.address,
    target: declaredTarget(route, request),
  };
  if (parameters.failure) failed.push(parameters.failure);
  const body = readJson(route.body && request.body);
  if ("failure" in body) {
    failed.push(body.failure);
  } else {
    valid.body = part("body", route.body, body.value);
    valid.bodyText = body.text;
  }
  const mistake = route.creates && validateIdempotencyKey(request.headers);
  if (mistake) failed.push(mistake);
  if (failed.length > 0) throw validationError(failed);
  return valid;
}

/**
 * The request's target with what the declaration knows of its query. Links repeat it: what else a client sends,
 * a password in the wrong place for one, is not to come back.
 */
function declaredTarget({ query }: Route<never>, { target }: RawRequest): string {
  const known = query instanceof z.ZodObject ? query.shape : {};
  const others = [...splitTarget(target).query.keys()].filter((name) => !Object.hasOwn(known, name));
  return withParameters(target, Object.fromEntries(others.map((name) => [name, undefined])));
}

interface Parameters {
  readonly value: Readonly<Record<string, readonly unknown[]>>;
  /** The names that a body carries and the query lacks. */
  readonly inBody: readonly string[];
  readonly failure?: FieldError;
}

/** The query's parameters. Where they do not do and the route allows it, a body completes them. */
function parametersOf(route: Route<never>, request: RawRequest): Parameters {
  const { query } = request;
  if (!route.queryInBody || route.query?.safeParse(query).success) return { value: query, inBody: [] };
  const body = readParameters(request);
  if ("failure" in body) return { value: query, inBody: [], failure: body.failure };
  const inBody = Object.keys(body.value).filter((name) => !Object.hasOwn(query, name));
  return { value: Object.assign(Object.create(null), body.value, query), inBody };
}

/** What zod makes of a value that is not there: one word of several is none of them. */
const MISSING_CODES = new Set(["invalid_type", "invalid_value"]);

/** Turns zod's issue into ours: the place, a sentence without the value, and a stable word. */
function describe(place: string, issue: z.core.$ZodIssue): FieldError {
  const field = [place, ...issue.path.map(String)].join(".");
  if (MISSING_CODES.has(issue.code) && issue.input === undefined) {
    return {
      field,
      message: place === "body" && issue.path.length === 0 ? "A JSON body is required" : "Required",
      type: "missing",
    };
  }
  return { field, message: issue.message, type: wordOf(issue) };
}

/** Many of zod's codes are our words already; a custom check brings its own in `params.type`. */
function wordOf(issue: z.core.$ZodIssue): FieldErrorType {
  const word = issue.code === "custom" ? issue.params?.type : issue.code;
  return fieldErrorTypes.find((each) => each === word) ?? "invalid_value";
}
