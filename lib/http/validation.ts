import type * as z from "zod/mini";
import { type FieldError, validationError } from "../domain/errors.ts";
import { fieldError, messageOf } from "./field-errors.ts";
import { validateIdempotencyKey } from "./idempotency.ts";
import {
  type ParameterLists,
  type RawRequest,
  RequestTarget,
  readJson,
  readParameters,
  refuseEncodedBody,
  toParameterLists,
} from "./request.ts";
import { isCreation, type Route, type ValidRequest } from "./route.ts";

/** A small request must not get a large response: a list of 200 invalid entries would. */
const MAX_FIELD_ERRORS = 100;

/**
 * Validates all parts of a request against its declaration, so that the client learns of every error at once.
 *
 * @param path the values of the placeholders, percent-decoded
 * @throws ApiError `ValidationError` with every error found, or a hundred and how many more; `UnsupportedMediaType`
 */
export function validate(
  route: Route,
  path: Readonly<Record<string, string>>,
  request: RawRequest,
): Omit<ValidRequest<never, never>, "caller" | "precondition" | "idempotency" | "budget"> {
  const schemas = route.request;
  if (schemas.body || route.queryInBody) refuseEncodedBody(request);
  const errors: FieldError[] = [];
  const parse = (
    part: string,
    schema: z.ZodMiniType | undefined,
    value: unknown,
    partOf = (_: z.core.$ZodIssue) => part,
  ): never => {
    if (schema === undefined) return undefined as never;
    const result = schema.safeParse(value, { reportInput: true, error: messageOf });
    const issues = result.error?.issues ?? [];
    const listed = issues.slice(0, Math.max(0, MAX_FIELD_ERRORS - errors.length));
    for (const issue of listed) errors.push(fieldError(partOf(issue), issue));
    if (listed.length < issues.length) {
      const message = `${issues.length - listed.length} more errors are not listed`;
      errors.push({ field: part, message, type: "invalid_value" });
    }
    return result.data as never;
  };
  const parameters = readQuery(route, request);
  // `Link` headers repeat it, and a password sent to the wrong place must not come back.
  const declared = schemas.query?.shape ?? {};
  const declaredQuery = [...request.target.query].filter(([name]) => Object.hasOwn(declared, name));
  const body = readJson(schemas.body && request.body);
  const valid = {
    path: parse("path", schemas.path, path),
    query: parse("query", schemas.query, parameters.lists, (issue) =>
      parameters.isInBody(String(issue.path[0])) ? "body" : "query",
    ),
    headers: parse("headers", schemas.headers, request.headers),
    target: new RequestTarget(request.target.path, new URLSearchParams(declaredQuery)),
    address: request.address,
  };
  if (parameters.error) errors.push(parameters.error);
  if ("error" in body) errors.push(body.error);
  const validBody = "error" in body ? undefined : parse("body", schemas.body, body.value);
  const keyError = isCreation(route) ? validateIdempotencyKey(request.headers) : undefined;
  if (keyError) errors.push(keyError);
  if (errors.length > 0) throw validationError(errors);
  return { ...valid, body: validBody as never, bodyText: "text" in body ? body.text : "" };
}

interface QueryParameters {
  readonly lists: ParameterLists;
  /** Whether a parameter comes from the body, or is missing and was looked for there. */
  isInBody(name: string): boolean;
  readonly error?: FieldError;
}

/** The query's parameters. If they are invalid and the route allows it, the body's are added. */
function readQuery(route: Route, request: RawRequest): QueryParameters {
  const lists = toParameterLists(request.target.query);
  const own = { lists, isInBody: () => false };
  if (!route.queryInBody || route.request.query?.safeParse(lists).success) return own;
  const body = readParameters(request);
  if ("error" in body) return { ...own, error: body.error };
  return {
    lists: Object.assign(Object.create(null), body.value, lists),
    isInBody: (name) => request.body !== undefined && !Object.hasOwn(lists, name),
  };
}
