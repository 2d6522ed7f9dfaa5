import { unavailable } from "../../lib/aws.ts";
import { type ApiError, tooManyRequests } from "../../lib/domain/errors.ts";
import { ReadBudgetExceeded } from "../../lib/domain/read-budget.ts";
import {
  type ErrorFormat,
  errorHeaders,
  formatError,
  PROBLEM_MEDIA_TYPE,
  routeNotFound,
  statusByCode,
  unexpectedError,
} from "../../lib/http/errors.ts";
import { paginationOf } from "../../lib/http/pagination.ts";
import { declaredErrors } from "../../lib/http/protocol.ts";
import { encodedBody } from "../../lib/http/request.ts";
import { errorFormatOf, JSON_MEDIA_TYPE, type Route } from "../../lib/http/route.ts";
import type { Components } from "./components.ts";
import {
  conflictSchema,
  type ErrorSchema,
  errorFormatSchemas,
  gatewayErrorSchema,
  problemSchema,
  unexpectedErrorSchema,
  validationErrorSchema,
} from "./error-schemas.ts";
import { headerReferences } from "./headers.ts";
import { exampleUrl, invalidRequestError } from "./invalid-request.ts";
import type { MediaType, Reference, Response } from "./model.ts";

interface ErrorCase {
  readonly status: number;
  readonly when: string;
  /** The schema of the body; undefined for an empty body. */
  readonly schema: ErrorSchema | undefined;
  readonly exampleBody: unknown;
  readonly headers: readonly string[];
}

export type SharedResponses = Map<string, Response>;

/**
 * The error responses of a route by status: its own, its authorizer's, and those that every route has.
 *
 * @param shared collects the responses that are the same for many routes
 * @throws Error when an error is declared with another status than its code's, or two differ under one name
 */
export function errorResponses(
  route: Route,
  components: Components,
  shared: SharedResponses,
): Record<string, Response | Reference> {
  const own = declaredErrors(route).map(([status, { when, example }]) => {
    if (statusByCode[example.code] !== status)
      throw new Error(`${route.operationId} declares ${example.code} with ${status}: use its own status`);
    return formattedCase(route, when, example);
  });
  const invalid = invalidRequestError(route);
  if (invalid) own.push(errorCase("Invalid request", invalid, route.errorFormat, exampleUrl(route)));
  const byStatus = Map.groupBy([...own, ...commonCases(route)], ({ status }) => status);
  const responses = [...byStatus].map(([status, cases]) => {
    if (own.some((each) => each.status === status)) return [status, responseOf(cases, components)];
    const schemas = [...new Set(cases.flatMap(({ schema }) => schema?.name ?? []))];
    // A list has two reasons for a 503.
    const name = `${status}${schemas.join("Or")}${cases.length > schemas.length ? "OfList" : ""}`;
    const response = responseOf(cases, components);
    const known = shared.get(name) ?? response;
    if (known.description !== response.description) throw new Error(`Two responses are named ${name}`);
    shared.set(name, known);
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(responses);
}

/** The responses to requests that match no route: they belong to no operation. */
export function noRouteResponses(components: Components): Record<string, Response> {
  const response = (when: string, error: ApiError) =>
    responseOf([errorCase(when, error, "detail", "")], components);
  return {
    RouteNotFound: response("Unknown path", routeNotFound([])),
    MethodNotAllowed: response("The path does not support the method", routeNotFound(["GET", "POST"])),
  };
}

function commonCases(route: Route): ErrorCase[] {
  const { byCursor, byPage } = paginationOf(route);
  const takesBody = route.request.body !== undefined || route.queryInBody === true;
  return [
    ...(takesBody
      ? [
          gatewayCase(413, "A body of more than 6 MB", "Request Entity Too Large"),
          formattedCase(route, "A compressed body", encodedBody()),
        ]
      : []),
    gatewayCase(429, "Too many requests", "Too Many Requests"),
    gatewayCase(431, "More than 10 KB of request line and headers", "Request Header Fields Too Large"),
    {
      status: 500,
      when: "Unexpected error",
      schema: unexpectedErrorSchema,
      exampleBody: formatError(unexpectedError(), "structured", exampleUrl(route)),
      headers: ["cache-control", "x-request-id"],
    },
    formattedCase(route, "The database is overloaded or unreachable", unavailable("The database")),
    ...(byCursor || byPage
      ? [formattedCase(route, "The request would read too many records", new ReadBudgetExceeded())]
      : []),
    ...(byCursor || byPage || route.isAdmitted
      ? [formattedCase(route, "The service is too busy right now", tooManyRequests())]
      : []),
  ];
}

function gatewayCase(status: number, when: string, message: string): ErrorCase {
  return { status, when, schema: gatewayErrorSchema, exampleBody: { message }, headers: [] };
}

function formattedCase(route: Route, when: string, error: ApiError): ErrorCase {
  return errorCase(when, error, errorFormatOf(route, statusByCode[error.code]), exampleUrl(route));
}

function errorCase(when: string, error: ApiError, format: ErrorFormat, url: string): ErrorCase {
  return {
    status: statusByCode[error.code],
    when,
    schema: schemaOf(error, format),
    exampleBody: formatError(error, format, url),
    headers: ["cache-control", ...Object.keys(errorHeaders(error)), "x-request-id"],
  };
}

function schemaOf({ code }: ApiError, format: ErrorFormat): ErrorSchema | undefined {
  if (code === "Conflict") return conflictSchema;
  if (code === "ValidationError") return validationErrorSchema;
  return errorFormatSchemas[format];
}

function responseOf(cases: readonly ErrorCase[], components: Components): Response {
  const headers = headerReferences([...new Set(cases.flatMap((each) => each.headers))]);
  const schemas = [...new Set(cases.flatMap(({ schema }) => schema ?? []))];
  const isOnlyOfGateway = cases.every(({ schema }) => schema === gatewayErrorSchema);
  return {
    description: [...new Set(cases.map(({ when }) => when))].join(". "),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      // The gateway gives a type to a response without a body.
      ...(cases.some(({ schema }) => schema === undefined) && {
        "text/plain": { schema: { type: "string", maxLength: 0 } },
      }),
      ...(schemas.length > 0 && { [JSON_MEDIA_TYPE]: mediaTypeOf(schemas, cases, components) }),
      ...(!isOnlyOfGateway && {
        [PROBLEM_MEDIA_TYPE]: { schema: components.add(problemSchema.name, problemSchema.schema) },
      }),
    },
  };
}

/** With one case, its body is the example. With several, each is an example named after its schema. */
function mediaTypeOf(
  schemas: readonly ErrorSchema[],
  cases: readonly ErrorCase[],
  components: Components,
): MediaType {
  const references = schemas.map(({ name, schema }) => components.add(name, schema));
  const [reference = {}, ...otherReferences] = references;
  const name = schemas.map((each) => each.name).join("Or");
  const schema = otherReferences.length === 0 ? reference : components.add(name, { oneOf: references });
  const [firstCase, ...otherCases] = cases;
  if (otherCases.length === 0) return { schema, example: firstCase?.exampleBody };
  const examples: Record<string, { summary: string; value: unknown }> = {};
  for (const { when, schema, exampleBody } of cases) {
    const name = schema?.name ?? "none";
    const key = examples[name] ? `${name}-${Object.keys(examples).length + 1}` : name;
    examples[key] = { summary: when, value: exampleBody };
  }
  return { schema, examples };
}
