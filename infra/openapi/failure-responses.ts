import { type FailureStatus, statusOf } from "../../lib/http/failures.ts";
import { protocolOf } from "../../lib/http/protocol.ts";
import { type DeclaredFailure, dialectOf, type Route } from "../../lib/http/route.ts";
import type { Components } from "./components.ts";
import {
  conflictShape,
  dialectShapes,
  gatewayShape,
  type Shape,
  unexpectedShape,
  validationShape,
} from "./failures.ts";
import { headersOf } from "./headers.ts";
import type { Reference, Response } from "./model.ts";
import { canBeInvalid } from "./parameters.ts";

/** One way in which a route fails. */
interface Case {
  readonly status: number;
  readonly when: string;
  /** Undefined for no body. */
  readonly shape: Shape | undefined;
  readonly headers: readonly string[];
}

const DOES_NOT_FIT = "The request does not fit";

/** Responses that many operations share, by the name that they have in the document. */
export type SharedResponses = Map<string, Response>;

/**
 * The failures of a route: its own, its authorizer's, and those that go without saying.
 *
 * @param components takes in the named schemas
 * @param shared takes in the responses that are the same for many routes
 * @returns the responses by status
 */
export function failuresOf(
  route: Route<never>,
  components: Components,
  shared: SharedResponses,
): Record<string, Response | Reference> {
  const own = [...declared(route), ...ofProtocol(route), ...authorization(route), ...validation(route)];
  const common = commonTo(route);
  const statuses = new Set([...own, ...common].map(({ status }) => status));
  const responses = [...statuses].map((status) => {
    const cases = [...own, ...common].filter((each) => each.status === status);
    if (own.some((each) => each.status === status && each.when !== DOES_NOT_FIT))
      return [status, responseOf(cases, components)];
    const name = `${status}${cases[0]?.shape?.name ?? ""}`;
    if (!shared.has(name)) shared.set(name, responseOf(cases, components));
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(responses);
}

/** What is answered where no operation is: no operation has these, and every path can have them. */
export function unmatchedResponses(components: Components): Record<string, Response> {
  const shape = dialectShapes.detail;
  const cases = {
    UnknownPath: { status: 404, when: "There is no such path", shape, headers: [] },
    WrongMethod: { status: 405, when: "The path has no such method", shape, headers: ["allow"] },
  };
  return Object.fromEntries(
    Object.entries(cases).map(([name, each]) => [name, responseOf([each], components)]),
  );
}

function declared(route: Route<never>): Case[] {
  return casesOf(route, route.failures ?? {});
}

function ofProtocol(route: Route<never>): Case[] {
  return casesOf(route, protocolOf(route).failures);
}

function authorization(route: Route<never>): Case[] {
  const cases = casesOf(route, route.authorizer?.failures ?? {});
  if (route.authorizer?.scheme !== "bearer") return cases;
  return cases.map((each) =>
    each.status === statusOf.Unauthorized ? { ...each, headers: ["www-authenticate"] } : each,
  );
}

function casesOf(route: Route<never>, failures: { readonly [S in FailureStatus]?: DeclaredFailure }): Case[] {
  return Object.entries(failures).map(([text, failure]) => {
    const status = Number(text) as FailureStatus;
    return {
      status,
      when: typeof failure === "string" ? failure : failure.when,
      shape: shapeOf(route, status),
      headers: route.answerHeaders?.[status] ?? [],
    };
  });
}

function shapeOf(route: Route<never>, status: FailureStatus): Shape | undefined {
  if (status === statusOf.Conflict) return conflictShape;
  if (status === statusOf.ValidationError) return validationShape;
  return dialectShapes[dialectOf(route, status)];
}

/** An area may have a failure of its own for what does not fit. */
function validation(route: Route<never>): Case[] {
  if (!canBeInvalid(route)) return [];
  const failure = route.onInvalid?.([{ field: "", message: "", type: "missing" }]);
  const [status, shape] = failure
    ? [statusOf[failure.code], dialectShapes[route.dialect]]
    : [statusOf.ValidationError, validationShape];
  return [{ status, when: DOES_NOT_FIT, shape, headers: [] }];
}

/** What any request can meet. */
function commonTo(route: Route<never>): Case[] {
  return [
    { status: 429, when: "There are too many requests", shape: gatewayShape, headers: [] },
    { status: 500, when: "An unexpected error, which is a defect", shape: unexpectedShape, headers: [] },
    {
      status: statusOf.ServiceUnavailable,
      when: "The database is overloaded or cannot be reached",
      shape: dialectShapes[dialectOf(route, statusOf.ServiceUnavailable)],
      headers: ["retry-after"],
    },
  ];
}

function responseOf(cases: readonly Case[], components: Components): Response {
  const shapes = new Set(cases.flatMap(({ shape }) => shape ?? []));
  const schemas = [...shapes].map(({ name, schema }) => components.add(name, schema));
  const [schema, ...others] = schemas;
  return {
    description: [...new Set(cases.map(({ when }) => when))].join(". "),
    headers: headersOf([...new Set(cases.flatMap(({ headers }) => headers))]),
    ...(schema && {
      content: { "application/json": { schema: others.length === 0 ? schema : { oneOf: schemas } } },
    }),
  };
}
