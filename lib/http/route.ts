import * as z from "zod/mini";
import { type ApiError, type FieldError, notFound } from "../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../domain/idempotency.ts";
import type { OwnerOf } from "../domain/ownership.ts";
import type { ReadBudget } from "../domain/read-budget.ts";
import type { RoleName } from "../domain/roles.ts";
import type { ErrorFormat, ErrorStatus } from "./errors.ts";
import type { RawRequest, RequestTarget } from "./request.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** What a route does with records, as far as access rules distinguish it. */
export const operations = ["get", "list", "create", "update", "delete"] as const;
export type Operation = (typeof operations)[number];
/** `public` routes are open in every deployment. */
type RouteAccess = Operation | "public";
export type Status = 200 | 201 | 204 | 302 | 308;

export interface RouteResponse<S extends Status = Status, B = unknown> {
  readonly status: S;
  /** A JSON value, a `JsonText` to be sent as it is, text or bytes as declared; undefined for no body. */
  readonly body: B;
  readonly headers: Readonly<Record<string, string>>;
}

/** `Location`, `ETag` and `Idempotency-Replayed` are derived from the creation. */
export interface CreatedResponse<B = unknown, R = unknown> extends RouteResponse<201, B> {
  readonly creation: Creation<R>;
}

export function response<S extends Exclude<Status, 201>, const B = undefined>(
  status: S,
  body?: B,
  headers: Readonly<Record<string, string>> = {},
): RouteResponse<S, B> {
  return { status, body: body as B, headers };
}

/** The response with a record. @param id where the specification's message names it @throws ApiError `NotFound` */
export function found<const B>(record: B | undefined, resource: string, id?: number): RouteResponse<200, B> {
  if (record === undefined) throw notFound(resource, id);
  return { status: 200, body: record, headers: {} };
}

/** The response to a deletion. @throws ApiError `NotFound` if there was no record */
export function deleted(wasFound: boolean, resource: string, id?: number): RouteResponse<204, undefined> {
  if (!wasFound) throw notFound(resource, id);
  return response(204);
}

/** The response to a creation. The body is the record by default. */
export function created<R, const B = R>(creation: Creation<R>, body?: B): CreatedResponse<B, R> {
  return { status: 201, body: body ?? (creation.record as B & R), headers: {}, creation };
}

export interface DeclaredError {
  readonly when: string;
  /** As the code throws it: the documentation shows its body and lists its headers. */
  readonly example: ApiError;
  readonly errorFormat?: ErrorFormat;
}

export type DeclaredErrors = { readonly [S in ErrorStatus]?: DeclaredError };

type Schema = z.ZodMiniType;
export type ObjectSchema = z.ZodMiniObject<Readonly<Record<string, Schema>>>;

interface RequestSchemas {
  readonly path?: ObjectSchema;
  readonly query?: ObjectSchema;
  readonly headers?: ObjectSchema;
  /** The JSON body. It is required unless the schema accepts undefined. */
  readonly body?: Schema;
}

/** Status → schema of the body: `z.undefined()` for none, `inMediaType` for text, `bytes` for bytes. */
type ResponseSchemas = { readonly [S in Status]?: Schema };

type OutputOf<Request, Part extends keyof RequestSchemas> =
  Request extends Readonly<Record<Part, infer S extends Schema>> ? z.output<S> : undefined;

type WithPart<Request, Part extends keyof RequestSchemas, T> =
  Request extends Readonly<Record<Part, Schema>> ? T : undefined;

export interface ValidRequest<
  Request extends RequestSchemas = RequestSchemas,
  Caller = unknown,
  RecordType = never,
> {
  readonly path: OutputOf<Request, "path">;
  readonly query: OutputOf<Request, "query">;
  readonly headers: OutputOf<Request, "headers">;
  readonly body: OutputOf<Request, "body">;
  readonly bodyText: WithPart<Request, "body", string>;
  /** What the route's authorizer returns; without one, the account under an access rule. */
  readonly caller: Caller;
  readonly target: WithPart<Request, "query", RequestTarget>;
  /** Checks `If-Match` and `If-None-Match`. The write requires the record to be the same. */
  readonly precondition: ((record: RecordType) => void) | undefined;
  readonly idempotency: IdempotencyContext | undefined;
  readonly address: string;
  /** Called once, by routes that read many records. */
  readonly budget: () => ReadBudget;
}

/** Decides who may call a route, before the request is validated. See lib/auth/authorizers.ts. */
export interface Authorizer<Dependencies, Caller> {
  readonly scheme: "bearer" | "apiKey";
  readonly isOptional?: true;
  /** Whose accounts alone it lets in, besides administrators. */
  readonly role?: RoleName;
  /** For keys besides the static ones: the response to this creation has one, in this field. */
  readonly issuedBy?: { readonly route: string; readonly field: string };
  readonly errors: DeclaredErrors;
  /** @param headers names in lower case @throws ApiError if the caller may not */
  authorize(headers: Readonly<Record<string, string>>, dependencies: Dependencies): Promise<Caller>;
}

export interface AccessCaller {
  readonly username: string;
  readonly role: string;
}

export interface Access {
  readonly account: AccessCaller;
  /** Whether records of any area belong to accounts. */
  readonly hasOwners: boolean;
  /** Creates dependencies that see what the caller may see. @throws Error if the area's records ignore owners */
  forOwner<D>(create: (ownerOf: OwnerOf) => D): D;
}

/** What a deployment's access rule demands of callers (docs/adr/0030). See lib/auth/access.ts. */
export interface Guard {
  readonly role?: RoleName;
  readonly errors: DeclaredErrors;
  /** @param headers names in lower case @throws ApiError if the caller may not */
  authorize(headers: Readonly<Record<string, string>>): Promise<Access>;
}

interface Area {
  readonly tag: string;
  readonly errorFormat: ErrorFormat;
  /** Turns validation errors into the area's own error. By default all of them are a 422. */
  readonly onInvalid?: (details: readonly [FieldError, ...FieldError[]]) => ApiError;
  /** A path without a trailing slash: the area's function handles every request below it. */
  readonly prefix?: string;
  /** What a route does, unless `operationOf` derives it. */
  readonly access?: RouteAccess;
  /** Whether it can be refused with 429 while others take too much of a table; lists always can. */
  readonly isAdmitted?: true;
  /** What it needs in functions of other areas, also in `fallback`, if they handle it too (docs/adr/0001). */
  readonly dependencies?: (client: never) => object;
}

interface RouteParts<Request, Responses, Auth, RecordType>
  extends Pick<Area, "access" | "isAdmitted" | "dependencies"> {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly authorizer?: Auth;
  readonly request?: Request;
  /** A JSON or form body may carry the query's parameters instead. */
  readonly queryInBody?: true;
  /** For a read that must be answered anew each time; others may be stored and have to be revalidated. */
  readonly cache?: "no-store";
  /** The query carries secrets: no response, link or redirect repeats it. */
  readonly secretQuery?: true;
  /** Finds in the query or the body, also an invalid one, whom the log line names (lib/log/who.ts). */
  readonly identify?: (request: Pick<RawRequest, "headers" | "address">, input: unknown) => void;
  /** Fields of the body, at any depth, that an `Idempotency-Key` does not compare. */
  readonly secretFields?: readonly string[];
  /** Every success; a 201 needs `created(…)`. A query with `cursor` or `page` makes it a paginated list. */
  readonly responses: Responses;
  /** The tag of the record that is read or written, from its JSON text if there is one (docs/adr/0009). */
  readonly etag?: (record: RecordType, json?: string) => string;
  /** The path of a created record, sent as `Location`. */
  readonly location?: (record: RecordType) => string;
  /** Further response headers: status → names in lower case. */
  readonly responseHeaders?: { readonly [S in Status]?: readonly string[] };
  /** Every error except 415, 422, 500 and 503, which every route can have. */
  readonly errors?: DeclaredErrors;
}

/** A declared route. The gateway's routes, validation, `Allow` and the OpenAPI document derive from it. */
export interface Route<Dependencies = never>
  extends Area,
    RouteParts<RequestSchemas, ResponseSchemas, Authorizer<Dependencies, unknown>, never> {
  /** Method and pattern: `GET /todos/{id}`. */
  readonly key: string;
  readonly method: Method;
  readonly pattern: string;
  readonly request: RequestSchemas;
  readonly guard?: Guard | undefined;
  // A method, so that a route that needs a part of a function's dependencies is assignable to its routes.
  handle(request: ValidRequest<never, never>, dependencies: Dependencies): Promise<RouteResponse>;
}

type ResponseOf<Responses extends ResponseSchemas, RecordType> = {
  [S in keyof Responses & Status]: Responses[S] extends Schema
    ? S extends 201
      ? CreatedResponse<z.input<Responses[S]>, [RecordType] extends [never] ? unknown : RecordType>
      : RouteResponse<S, z.input<Responses[S]>>
    : never;
}[keyof Responses & Status];

type KeyOf<D> = D extends unknown ? keyof D : never;
type ValueOf<D, K> = D extends unknown ? (K extends keyof D ? D[K] : never) : never;
type ElementOf<D> = D extends readonly (infer E)[] ? E : never;

/** The names of the fields, at any depth, that a value has beyond its declaration; never if there are none. */
type UndeclaredFields<Actual, Declared> = unknown extends Declared
  ? never
  : Actual extends (...args: never) => unknown
    ? never
    : Actual extends readonly (infer E)[]
      ? UndeclaredFields<E, ElementOf<Declared>>
      : Actual extends object
        ? {
            [K in keyof Actual]-?: K extends KeyOf<Declared>
              ? UndeclaredFields<Actual[K], ValueOf<Declared, K>>
              : K;
          }[keyof Actual]
        : never;

/** `Returned`, or an impossible response naming the fields that the declaration lacks. */
type OnlyDeclared<Returned extends RouteResponse, Responses extends ResponseSchemas> =
  Returned extends RouteResponse<infer S, infer B>
    ? UndeclaredFields<B, Responses[S] extends Schema ? z.input<Responses[S]> : never> extends infer Names
      ? [Names] extends [never]
        ? Returned
        : RouteResponse<S, { readonly undeclared: Names }>
      : never
    : never;

/** Starts the declarations of an area. Undeclared responses and response fields do not compile. */
export function routeBuilder<Dependencies>(area: Area) {
  return <
    const Responses extends ResponseSchemas,
    const Request extends RequestSchemas = Record<never, never>,
    Caller = AccessCaller | undefined,
    RecordType = never,
    Returned extends ResponseOf<Responses, RecordType> = ResponseOf<Responses, RecordType>,
    const Key extends `${Method} /${string}` = never,
  >(
    key: Key,
    parts: RouteParts<Request, Responses, Authorizer<Dependencies, Caller>, RecordType> & {
      handle(
        request: ValidRequest<Request, Caller, RecordType>,
        dependencies: Dependencies,
      ): Promise<Returned & OnlyDeclared<Returned, Responses>>;
    },
  ): Route<Dependencies> & { readonly key: Key } => {
    const [method, pattern] = key.split(" ") as [Method, string];
    return { request: {}, ...area, key, method, pattern, ...parts } as never;
  };
}

const operationByMethod = { POST: "create", PUT: "update", PATCH: "update", DELETE: "delete" } as const;

/** Undefined if no access rule applies: the route is public, or has its own rule, an authorizer. */
export function operationOf({ access, authorizer, method, pattern }: Route): Operation | undefined {
  if (access === "public" || (authorizer && !authorizer.isOptional)) return undefined;
  if (access !== undefined) return access;
  if (method !== "GET") return operationByMethod[method];
  return pattern.endsWith("}") ? "get" : "list";
}

export function isCreation(route: Route): boolean {
  return route.responses[201] !== undefined;
}

/** The responses of such a route must not be stored (RFC 6749, 5.1). */
export function needsCredential({ authorizer, guard, secretQuery }: Route): boolean {
  return authorizer !== undefined || guard !== undefined || secretQuery === true;
}

/** Whether requests carry secrets, by mistake also in the query: no error repeats that. */
export function takesSecrets({ authorizer, secretQuery, secretFields }: Route): boolean {
  return (authorizer ?? secretQuery ?? secretFields) !== undefined;
}

/** What a cache may do with a response that does not say it itself (RFC 9111, 5.2.2). */
export function cacheControlOf(route: Route | undefined, status: number): "no-cache" | "no-store" {
  const isRead = route?.method === "GET" && route.cache === undefined;
  return isRead && status < 400 && !needsCredential(route) ? "no-cache" : "no-store";
}

export function errorFormatOf(route: Route, status: ErrorStatus): ErrorFormat {
  return route.errors?.[status]?.errorFormat ?? route.errorFormat;
}

const declaredTypes = new WeakMap<z.ZodMiniType, readonly [string, ...string[]]>();

export const JSON_MEDIA_TYPE = "application/json";

/** Declares a text body, such as `text/plain; charset=utf-8`. Marks the schema: do not share it. */
export function inMediaType<S extends z.ZodMiniType<string>>(type: string, schema: S): S {
  declaredTypes.set(schema, [type]);
  return schema;
}

/** Declares a body of bytes. @param types the possible values of `content-type`; the first by default */
export function bytes(...types: readonly [string, ...string[]]): z.ZodMiniType<Uint8Array, Uint8Array> {
  const schema = z.instanceof(Uint8Array);
  declaredTypes.set(schema, types);
  return schema;
}

export function mediaTypesOf(schema: z.ZodMiniType | undefined): readonly [string, ...string[]] {
  return (schema && declaredTypes.get(schema)) ?? [JSON_MEDIA_TYPE];
}

export function isBytes(schema: z.ZodMiniType): boolean {
  return declaredTypes.has(schema) && schema instanceof z.ZodMiniCustom;
}
