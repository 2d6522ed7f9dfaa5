import type { paths, Schemas } from "./openapi.js";

export type { paths, Schemas };

type HttpMethod = "get" | "post" | "put" | "patch" | "delete";
type PathsWith<M extends HttpMethod> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: unknown } } ? P : never;
}[keyof paths];
/** One operation of the OpenAPI document. */
type Operation<P extends keyof paths, M extends HttpMethod> = Extract<paths[P][M], { responses: unknown }>;

type Empty = Record<never, never>;
type ParamsOf<O> = O extends { parameters: infer P }
  ? Empty extends P
    ? { params?: P }
    : { params: P }
  : never;
type BodyOf<O> = O extends { requestBody?: never }
  ? Empty
  : O extends { requestBody: { content: infer C } }
    ? { body: C[keyof C] }
    : O extends { requestBody?: { content: infer C } }
      ? { body?: C[keyof C] }
      : never;
/** What fetch accepts besides, such as a `signal`. */
type FetchOptions = Omit<RequestInit, "body" | "headers" | "method"> & { headers?: Record<string, string> };
type InitOf<O> = ParamsOf<O> & BodyOf<O> & FetchOptions;
type Arguments<O> = Empty extends ParamsOf<O> & BodyOf<O> ? [init?: InitOf<O>] : [init: InitOf<O>];

/** The body of a success. */
type DataOf<O> = O extends { responses: infer R }
  ? {
      [S in keyof R & (200 | 201 | 204)]: R[S] extends { content: infer C } ? C[keyof C] : undefined;
    }[keyof R & (200 | 201 | 204)]
  : never;

/** What a call resolves to. It rejects only without a response. */
export type Result<T> =
  | { data: T; error?: undefined; response: Response }
  | { data?: undefined; error: ApiError; response: Response };

type QueryOf<P extends PathsWith<"get">> =
  Operation<P, "get"> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : Empty;
/** Lists that are a page if `page` or `size` is given, and otherwise an array. */
type PagedLists = {
  [P in PathsWith<"get">]: [Extract<DataOf<Operation<P, "get">>, { items: unknown }>] extends [never]
    ? never
    : [Extract<DataOf<Operation<P, "get">>, unknown[]>] extends [never]
      ? never
      : P;
}[PathsWith<"get">];
/** Lists whose query selects the `fields` of their records. */
type FieldLists = {
  [P in PathsWith<"get">]: [QueryOf<P>] extends [never]
    ? never
    : "fields" extends keyof QueryOf<P>
      ? P
      : never;
}[PathsWith<"get">];
type Listed<P extends FieldLists> = RecordOf<DataOf<Operation<P, "get">>>;
type Fields<P extends FieldLists> = readonly (keyof Listed<P>)[];
type VersionOf<P extends FieldLists> =
  Operation<P, "get"> extends { parameters: { header?: { "api-version"?: infer V } } } ? V : never;

/** A record with the selected fields. */
type Selected<P extends FieldLists, F> =
  F extends Fields<P>
    ? number extends F["length"]
      ? Listed<P>
      : Required<Pick<Listed<P>, F[number]>>
    : Required<Listed<P>>;
type InVersion<P extends FieldLists, V, R> = V extends string
  ? WithRecords<Extract<DataOf<Operation<P, "get">>, { version: V }>, R>
  : R[];
type WithRecords<E, R> = { [K in keyof E]: E[K] extends unknown[] ? R[] : E[K] };
type FieldsInit<P extends FieldLists, F, V> = FetchOptions & {
  params?: { query?: Omit<QueryOf<P>, "fields"> & { fields?: F }; header?: { "api-version"?: V } };
};

interface Get {
  // First, because TypeScript takes its result after an error in any of the calls.
  <P extends PathsWith<"get">>(
    path: P,
    ...init: P extends PagedLists | FieldLists ? [never] : Arguments<Operation<P, "get">>
  ): Promise<Result<DataOf<Operation<P, "get">>>>;
  /** A page of a list, because of `page` or `size`. */
  <P extends PagedLists>(
    path: P,
    init: { params: { query: QueryOf<P> & ({ page: number } | { size: number }) } } & FetchOptions,
  ): Promise<Result<Extract<DataOf<Operation<P, "get">>, { items: unknown }>>>;
  /** The list as an array. */
  <P extends PagedLists>(
    path: P,
    init?: FetchOptions & { params?: { query?: Omit<QueryOf<P>, "page" | "size"> } },
  ): Promise<Result<Extract<DataOf<Operation<P, "get">>, unknown[]>>>;
  /** Records with the selected `fields`, in the envelope of `api-version`. */
  <
    P extends FieldLists,
    const F extends Fields<P> | undefined = undefined,
    const V extends VersionOf<P> | undefined = undefined,
  >(
    path: P,
    init?: FieldsInit<P, F, V>,
  ): Promise<Result<InVersion<P, V, Selected<P, F>>>>;
  // Last, because TypeScript shows why this one does not match: it names a misspelt parameter of any path.
  <P extends PathsWith<"get">>(
    path: P,
    ...init: Arguments<Operation<P, "get">>
  ): Promise<Result<DataOf<Operation<P, "get">>>>;
}

type Send<M extends HttpMethod> = <P extends PathsWith<M>>(
  path: P,
  ...init: Arguments<Operation<P, M>>
) => Promise<Result<DataOf<Operation<P, M>>>>;

/** The records of a list: the array itself, or in an envelope. */
type RecordOf<T> = T extends (infer R)[] | { items: (infer R)[] } | { users: (infer R)[] } ? R : never;
type Lists = {
  [P in PathsWith<"get">]: [RecordOf<DataOf<Operation<P, "get">>>] extends [never] ? never : P;
}[PathsWith<"get">];
type Creations = {
  [P in PathsWith<"post">]: Operation<P, "post"> extends { responses: { 201: unknown } } ? P : never;
}[PathsWith<"post">];

interface Paginate {
  <P extends FieldLists, const F extends Fields<P> | undefined = undefined>(
    path: P,
    init?: FieldsInit<P, F, VersionOf<P>>,
  ): AsyncGenerator<Selected<P, F>, void>;
  <P extends Lists>(
    path: P,
    ...init: Arguments<Operation<P, "get">>
  ): AsyncGenerator<RecordOf<DataOf<Operation<P, "get">>>, void>;
}

/** A client of the service, with a method for each HTTP method that takes a path of the OpenAPI document. */
export interface ApiClient {
  GET: Get;
  POST: Send<"post">;
  PUT: Send<"put">;
  PATCH: Send<"patch">;
  DELETE: Send<"delete">;
  /**
   * Iterates over all records of a list, page by page, following `Link: rel="next"`.
   *
   * @param init the parameters of the first page; `limit` or `size` is the number of records per request
   * @throws ApiError when a page fails, and Error when the next page is on another origin than the service
   */
  paginate: Paginate;
  /**
   * Creates a record exactly once: sends an `Idempotency-Key` and repeats the request with the same key, four
   * times at most, if its response is lost or is a 502, 503 or 504. Waits as long as `Retry-After` says, otherwise
   * 1, 2 and 4 s.
   *
   * @param init may have a key of its own in `params.header["idempotency-key"]`, for example one that
   *   survives a reload of the page
   * @returns the last response; an error with a `Retry-After` of more than a minute is returned at once
   */
  idempotent<P extends Creations>(
    path: P,
    ...init: Arguments<Operation<P, "post">>
  ): Promise<Result<DataOf<Operation<P, "post">>>>;
}

export interface ClientOptions {
  /** Scheme and host of the service. */
  baseUrl: string;
  /** The `access_token` of a login, or a function that returns the current one. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** A static key, for the routes under `/api`. */
  apiKey?: string | undefined;
  /** Sends the requests; by default the global `fetch` at the time of the request. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Waits before `idempotent` tries again; by default up to a quarter longer than asked. */
  wait?: ((seconds: number, signal?: AbortSignal | null) => Promise<void>) | undefined;
}

/**
 * Creates a client of the service, whose paths, parameters, bodies and responses are typed by the OpenAPI
 * document. Calls resolve to `{ data, response }` or `{ error, response }`, and reject only without a
 * response.
 */
export function createClient(options: ClientOptions): ApiClient;

/** An invalid value, or a value that is already taken. */
export interface FieldError {
  /** Where it is: `body.title`, `query.page`; only the name for a value that is taken: `username`. */
  field: string;
  message: string;
  type: Schemas["ValidationError"]["details"][number]["type"] | "conflict";
}

/** Any error response of the service or its gateway, whatever the shape of its body (docs/errors.md). */
export class ApiError extends Error {
  /** @param body parsed if it is JSON, otherwise text; undefined for an empty body */
  constructor(response: Response, body: unknown);
  readonly name: "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /** The status as a word; `Other` for one that neither the service nor its gateway sends. */
  readonly code:
    | "InvalidArgument"
    | "Unauthorized"
    | "Forbidden"
    | "NotFound"
    | "MethodNotAllowed"
    | "RequestTimeout"
    | "Conflict"
    | "PreconditionFailed"
    | "ContentTooLarge"
    | "UnsupportedMediaType"
    | "ValidationError"
    | "TooManyRequests"
    | "HeadersTooLarge"
    | "InternalServerError"
    | "BadGateway"
    | "ServiceUnavailable"
    | "GatewayTimeout"
    | "Other";
  /** The invalid fields of a `ValidationError`, the taken field of a `Conflict`; otherwise empty. */
  readonly fields: readonly FieldError[];
  /** In seconds. */
  readonly retryAfter: number | undefined;
  /** Identifies the request in the service's log; undefined for responses of the gateway. */
  readonly requestId: string | undefined;
}
