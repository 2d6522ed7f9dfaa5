import type * as z from "zod";
import type { ApiError, FieldError } from "../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../domain/idempotency.ts";
import type { ErrorFormat, ErrorStatus } from "./errors.ts";
import type { UndeclaredFields } from "./undeclared-fields.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Status = 200 | 201 | 204 | 302 | 308;

/** What a handler returns: one of the answers that its declaration lists. */
export interface RouteResponse<S extends Status = Status, B = unknown> {
  readonly status: S;
  /** A JSON value, a `JsonText` to be sent as it is, text or bytes as declared; absent for none. */
  readonly body: B;
  /** Response headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes an answer.
 *
 * @param status one of the statuses that the route declares
 * @param body the JSON value, of the shape that the route declares for that status
 * @param headers response headers, names in lower case
 */
export function response<S extends Status, const B = undefined>(
  status: S,
  body?: B,
  headers: Readonly<Record<string, string>> = {},
): RouteResponse<S, B> {
  return { status, body: body as B, headers };
}

/**
 * Makes the response to a creation.
 *
 * @param replayed whether an earlier request with the same idempotency key created it
 */
export function created<const B>(
  body: B,
  { replayed }: Pick<Creation<unknown>, "replayed">,
  headers: Readonly<Record<string, string>> = {},
): RouteResponse<201, B> {
  return response(201, body, { ...headers, ...(replayed && { "idempotency-replayed": "true" }) });
}

/** One way in which a route fails. */
export interface DeclaredError {
  /** When it happens, as a sentence without a full stop. */
  readonly when: string;
  /** One as the code throws it: the documentation shows its body and names its headers. */
  readonly example: ApiError;
  /** Where it is not the area's. */
  readonly errorFormat?: ErrorFormat;
}

/** Failures by their status. */
export type DeclaredErrors = { readonly [S in ErrorStatus]?: DeclaredError };
type Schema = z.ZodType;
type ResponseSchemas = { readonly [S in Status]?: Schema };
type Output<T> = T extends Schema ? z.output<T> : undefined;

/** The answers that a declaration allows, as the union that its handler has to return. */
type ResponseOf<A extends ResponseSchemas> = {
  [S in keyof A & Status]: A[S] extends Schema ? RouteResponse<S, z.input<A[S]>> : never;
}[keyof A & Status];

/** What is given, unless an answer in it has fields that the declaration lacks: nothing is given as that. */
type OnlyDeclared<G extends RouteResponse, A extends ResponseSchemas> =
  G extends RouteResponse<infer S, infer B>
    ? UndeclaredFields<B, A[S] extends Schema ? z.input<A[S]> : never> extends infer Names
      ? [Names] extends [never]
        ? G
        : RouteResponse<S, { readonly undeclared: Names }>
      : never
    : never;

/**
 * Who may call a route. It runs before anything of the request is validated.
 *
 * @see lib/auth/authorizers.ts for those that there are
 */
export interface Authorizer<Services, Caller> {
  /** The security scheme that the documentation names. */
  readonly scheme: "bearer" | "apiKey";
  readonly errors: DeclaredErrors;
  /**
   * @param headers the request's headers, names in lower case
   * @returns who calls
   * @throws Failure when the caller may not
   */
  authorize(headers: Readonly<Record<string, string>>, services: Services): Promise<Caller>;
}

/** A request as a handler sees it: decoded, validated and typed by the declaration. */
export interface ValidRequest<P, Q, H, B, C = undefined, R = never> {
  readonly path: P;
  readonly query: Q;
  readonly headers: H;
  readonly body: B;
  /** The JSON text that the body was read from; empty where none is declared or sent. */
  readonly bodyText: string;
  /** Whom the route's authorizer let in; undefined without one. */
  readonly caller: C;
  /** The request's URL as the client sent it. */
  readonly url: string;
  /** Path and query of it. */
  readonly target: string;
  /**
   * What the request's preconditions ask of the record that it changes; undefined without any. The repository
   * calls it with the record as read, and writes only what is still that.
   */
  readonly precondition: ((record: R) => void) | undefined;
  /** The key under which the request creates something once; undefined without one. */
  readonly idempotency: IdempotencyContext | undefined;
  /** The IP address that the request came from, as the gateway saw it. */
  readonly address: string;
}

interface RouteParts<P, Q, H, B, A, Z, R> {
  /** The operation as a function's name: what generated clients and links into the documentation call it. */
  readonly operationId: string;
  /** One line for people, without a full stop. */
  readonly summary: string;
  /** What the summary does not say, in one to three sentences of Markdown. */
  readonly description: string;
  readonly authorizer?: Z;
  /** The placeholders of the path. */
  readonly path?: P;
  readonly query?: Q;
  /** A JSON or form body may carry, by the same names, the parameters that the query lacks. */
  readonly queryInBody?: true;
  /** The query carries secrets: no answer repeats the request's URL with it, nor leads to it. */
  readonly secretQuery?: true;
  /** Request headers that matter here, names in lower case. */
  readonly headers?: H;
  /** The JSON body. A declared body is needed unless its schema accepts undefined. */
  readonly body?: B;
  /** Every success: status → schema of its body (`z.undefined()` for none, `inMediaType` for text, `bytes`). */
  readonly responses: A;
  /**
   * The route reads or writes one record, which has an entity tag: how the tag comes from the body of an answer,
   * and from the record that a precondition is about. Answers with a body carry it as `ETag`; GET heeds
   * `If-None-Match` with 304, the methods that change a record heed `If-Match` with 412 (docs/adr/0009).
   */
  readonly etag?: (record: R) => string;
  /**
   * The route creates something and heeds `Idempotency-Key`: its handler hands `once` to the repository. The same
   * request again is answered as before, with `Idempotency-Replayed: true` (docs/adr/0010).
   */
  readonly creates?: true;
  /** Headers of successes beside those that every answer has: status → names in lower case. */
  readonly responseHeaders?: { readonly [S in Status]?: readonly string[] };
  /**
   * The answer is a page, or can be: `page` and this parameter say which. Then it carries `Link` to the pages
   * around it (RFC 8288), by `pageLinks`.
   */
  readonly pagedBy?: "limit" | "size";
  /**
   * The answer is a list that can be longer than one answer carries: it ends at a record then, with a `Link` of
   * the relation `next`, by `fitting`. `cursor` is among the parameters of its query.
   */
  readonly goesOn?: true;
  /** Every failure of its own. 422, 500 and 503 go without saying. */
  readonly errors?: DeclaredErrors;
}

/** A route: what it takes, what it answers, and the code that does it. Nothing else lists routes. */
export interface Route<Services>
  extends Area,
    RouteParts<Schema, Schema, Schema, Schema, ResponseSchemas, Authorizer<never, unknown>, never> {
  readonly method: Method;
  /** The path as the specification writes it, placeholders in braces. */
  readonly pattern: string;
  // A method, not a property: a route that needs some of a function's services is then one of its routes.
  handle(
    request: ValidRequest<never, never, never, never, never>,
    services: Services,
  ): Promise<RouteResponse>;
}

/** What the routes of one area have in common. */
export interface Area {
  /** The area's name in the documentation and the logs. */
  readonly tag: string;
  readonly errorFormat: ErrorFormat;
  /**
   * Turns what failed validation, in order, into the area's failure, worded in the area's dialect whatever its
   * status is declared with; 422 with all of it when not given.
   */
  readonly onInvalid?: (details: readonly [FieldError, ...FieldError[]]) => ApiError;
}

/**
 * The dialect in which a route words its failures of a status.
 *
 * @param route the declaration
 * @param status of the failure
 */
export function errorFormatOf(route: Route<never>, status: ErrorStatus): ErrorFormat {
  return route.errors?.[status]?.errorFormat ?? route.errorFormat;
}

/**
 * Starts the declarations of an area.
 *
 * @param area what its routes share
 * @returns a function that declares one route: its key as API Gateway writes it (`GET /todos/{id}`) and its
 *   parts. The handler's request is typed by the schemas; an answer that `answers` does not list does not
 *   compile, nor does one with a field that its schema lacks. The handler may throw `Failure`.
 */
export function routeBuilder<Services>(shared: Area) {
  return <
    const A extends ResponseSchemas,
    P extends Schema | undefined = undefined,
    Q extends Schema | undefined = undefined,
    H extends Schema | undefined = undefined,
    B extends Schema | undefined = undefined,
    C = undefined,
    R = never,
    G extends ResponseOf<A> = ResponseOf<A>,
  >(
    key: `${Method} /${string}`,
    parts: RouteParts<P, Q, H, B, A, Authorizer<Services, C>, R> & {
      handle(
        request: ValidRequest<Output<P>, Output<Q>, Output<H>, Output<B>, C, R>,
        services: Services,
      ): Promise<G & OnlyDeclared<G, A>>;
    },
  ): Route<Services> => {
    const [method, pattern] = key.split(" ") as [Method, string];
    return { ...shared, method, pattern, ...parts } as unknown as Route<Services>;
  };
}
