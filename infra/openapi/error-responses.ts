import { unavailable } from "../../lib/aws.ts";
import type { ApiError } from "../../lib/domain/errors.ts";
import { formatError, routeNotFound, statusByCode, unexpectedErrorBody } from "../../lib/http/errors.ts";
import { declaredErrors } from "../../lib/http/protocol.ts";
import { errorFormatOf, type Route } from "../../lib/http/route.ts";
import type { Components } from "./components.ts";
import {
  conflictShape,
  dialectShapes,
  gatewayShape,
  type Shape,
  unexpectedShape,
  validationShape,
} from "./error-schemas.ts";
import { exampleUrl } from "./example-url.ts";
import { headersOf } from "./headers.ts";
import { invalidRequest } from "./invalid-request.ts";
import type { MediaType, Reference, Response } from "./model.ts";

/** One way in which a route fails. */
interface Case {
  readonly status: number;
  readonly when: string;
  /** Undefined for no body. */
  readonly shape: Shape | undefined;
  /** A body of that shape. */
  readonly example: unknown;
  readonly headers: readonly string[];
}

/** Responses that many operations share, by the name that they have in the document. */
export type SharedResponses = Map<string, Response>;

/**
 * The failures of a route: its own, its authorizer's, and those that go without saying.
 *
 * @param components takes in the named schemas
 * @param shared takes in the responses that are the same for many routes
 * @returns the responses by status
 * @throws Error when a failure is declared with another one's status
 */
export function failuresOf(
  route: Route<never>,
  components: Components,
  shared: SharedResponses,
): Record<string, Response | Reference> {
  const own = [...declared(route), ...validation(route)];
  const common = commonTo(route);
  const statuses = new Set([...own, ...common].map(({ status }) => status));
  const responses = [...statuses].map((status) => {
    const cases = [...own, ...common].filter((each) => each.status === status);
    if (own.some((each) => each.status === status)) return [status, responseOf(cases, components)];
    const name = `${status}${cases[0]?.shape?.name ?? ""}`;
    if (!shared.has(name)) shared.set(name, responseOf(cases, components));
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(responses);
}

/** What is answered where no operation is: no operation has these, and every path can have them. */
export function unmatchedResponses(components: Components): Record<string, Response> {
  const shape = dialectShapes.detail;
  const response = (when: string, failure: ApiError) =>
    responseOf([caseOf(when, failure, shape, formatError(failure, "detail", ""))], components);
  return {
    UnknownPath: response("There is no such path", routeNotFound([])),
    WrongMethod: response("The path has no such method", routeNotFound(["GET", "POST"])),
  };
}

function declared(route: Route<never>): Case[] {
  return declaredErrors(route).map(([status, { when, example }]) => {
    if (statusByCode[example.code] !== status)
      throw new Error(`${route.operationId} declares with ${status} what is answered with ${example.code}`);
    return caseIn(route, when, example);
  });
}

/** An area may have a failure of its own for what does not fit. */
function validation(route: Route<never>): Case[] {
  const failure = invalidRequest(route);
  if (failure === undefined) return [];
  const when = "The request does not fit";
  if (!route.onInvalid) return [caseIn(route, when, failure)];
  const body = formatError(failure, route.errorFormat, exampleUrl(route));
  return [caseOf(when, failure, dialectShapes[route.errorFormat], body)];
}

/** What any request can meet. */
function commonTo(route: Route<never>): Case[] {
  return [
    {
      status: 429,
      when: "There are too many requests",
      shape: gatewayShape,
      example: { message: "Too Many Requests" },
      headers: [],
    },
    {
      status: 500,
      when: "An unexpected error, which is a defect",
      shape: unexpectedShape,
      example: unexpectedErrorBody(exampleUrl(route)),
      headers: ["x-request-id"],
    },
    caseIn(route, "The database is overloaded or cannot be reached", unavailable("The database")),
  ];
}

/** A failure as a route words it. */
function caseIn(route: Route<never>, when: string, failure: ApiError): Case {
  const dialect = errorFormatOf(route, statusByCode[failure.code]);
  return caseOf(when, failure, shapeOf(route, failure), formatError(failure, dialect, exampleUrl(route)));
}

function caseOf(when: string, { code, headers }: ApiError, shape: Shape | undefined, example: unknown): Case {
  return {
    status: statusByCode[code],
    when,
    shape,
    example,
    headers: [...Object.keys(headers), "x-request-id"],
  };
}

function shapeOf(route: Route<never>, { code }: ApiError): Shape | undefined {
  if (code === "Conflict") return conflictShape;
  if (code === "ValidationError") return validationShape;
  return dialectShapes[errorFormatOf(route, statusByCode[code])];
}

function responseOf(cases: readonly Case[], components: Components): Response {
  const headers = headersOf([...new Set(cases.flatMap((each) => each.headers))]);
  const shapes = [...new Set(cases.flatMap(({ shape }) => shape ?? []))];
  return {
    description: [...new Set(cases.map(({ when }) => when))].join(". "),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(shapes.length > 0 && { content: { "application/json": mediaOf(shapes, cases, components) } }),
  };
}

/** What the cases say: one example, or one for each of them by the name of its shape. */
function mediaOf(shapes: readonly Shape[], cases: readonly Case[], components: Components): MediaType {
  const schemas = shapes.map(({ name, schema }) => components.add(name, schema));
  const [schema = {}, ...others] = schemas;
  const together = others.length === 0 ? schema : { oneOf: schemas };
  const [first, ...more] = cases;
  if (more.length === 0) return { schema: together, example: first?.example };
  const examples: Record<string, { summary: string; value: unknown }> = {};
  for (const { when, shape, example } of cases) {
    const name = shape?.name ?? "none";
    examples[examples[name] ? `${name}-${Object.keys(examples).length + 1}` : name] = {
      summary: when,
      value: example,
    };
  }
  return { schema: together, examples };
}
