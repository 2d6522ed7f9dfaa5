import type * as z from "zod/mini";
import { _safeParse, type $ZodIssue } from "zod/v4/core";
import { type FieldError, validationError } from "../domain/errors.ts";
import { IDEMPOTENCY_KEY_HEADER } from "../domain/idempotency.ts";
import { fieldError, messageOf } from "./field-errors.ts";
import { readIdempotencyKey } from "./idempotency.ts";
import {
  type RawRequest,
  RequestTarget,
  readJson,
  readParameters,
  refuseEncodedBody,
  toParameterLists,
} from "./request.ts";
import { isCreation, type ObjectSchema, type Route } from "./route.ts";

/** A small request must not get a large response: a list of 200 invalid lines would. */
const MAX_FIELD_ERRORS = 100;

/** Validates all parts, so that the client learns of every error at once. @throws ApiError with up to a hundred */
export function validate(route: Route, path: Readonly<Record<string, string>>, request: RawRequest) {
  const schemas = route.request;
  if (schemas.body || route.queryInBody) refuseEncodedBody(request);
  const key = request.headers[IDEMPOTENCY_KEY_HEADER];
  const errors: FieldError[] = [];
  const valid = {
    path: schemas.path && parse("path", schemas.path, path, errors),
    ...(schemas.query && readQuery(route, schemas.query, request, errors)),
    headers: schemas.headers && parse("headers", schemas.headers, request.headers, errors),
    ...(schemas.body && readBody(route, schemas.body, request, errors)),
    idempotencyKey: key === undefined || !isCreation(route) ? undefined : readIdempotencyKey(key, errors),
  };
  if (errors.length > 0) throw validationError(errors);
  return valid;
}

/** An error of zod would take as long as the rest of the validation. */
class Issues {
  readonly issues: readonly $ZodIssue[];
  constructor(issues: readonly $ZodIssue[]) {
    this.issues = issues;
  }
}
const safeParse = _safeParse(Issues as never);

function parse(
  part: string,
  schema: z.ZodMiniType,
  value: unknown,
  errors: FieldError[],
  partOf = (_: $ZodIssue) => part,
): unknown {
  const { data, error } = safeParse(schema, value, { reportInput: true, error: messageOf });
  if (error === undefined) return data;
  const listed = error.issues.slice(0, Math.max(0, MAX_FIELD_ERRORS - errors.length));
  for (const issue of listed) errors.push(fieldError(partOf(issue), issue));
  const unlisted = error.issues.length - listed.length;
  if (unlisted > 0)
    errors.push({ field: part, message: `${unlisted} more errors are not listed`, type: "invalid_value" });
  return undefined;
}

/** Reads the query, with the parameters in the body if the query is invalid and the route allows it. */
function readQuery(route: Route, schema: ObjectSchema, request: RawRequest, errors: FieldError[]) {
  const sent = new URLSearchParams(request.rawQuery);
  const lists = toParameterLists(sent);
  // `Link` headers repeat the target, and a password sent to the wrong place must not come back.
  for (const name of Object.keys(lists)) if (!Object.hasOwn(schema.shape, name)) sent.delete(name);
  const target = new RequestTarget(request.encodedPath, sent);
  if (!route.queryInBody || schema.safeParse(lists).success) {
    route.identify?.(request, lists);
    return { target, query: parse("query", schema, lists, errors) };
  }
  const body = readParameters(request);
  const values = "value" in body ? { ...body.value, ...lists } : lists;
  route.identify?.(request, values);
  const hasBody = "value" in body && request.body !== undefined;
  const query = parse("query", schema, values, errors, ({ path: [name] }) =>
    hasBody && !Object.hasOwn(lists, String(name)) ? "body" : "query",
  );
  if ("error" in body) errors.push(body.error);
  return { target, query };
}

function readBody(route: Route, schema: z.ZodMiniType, request: RawRequest, errors: FieldError[]) {
  const json = readJson(request.body);
  if ("error" in json) {
    errors.push(json.error);
    return undefined;
  }
  route.identify?.(request, json.value);
  return { body: parse("body", schema, json.value, errors), bodyText: json.text };
}
