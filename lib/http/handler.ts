import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type { OwnerOf } from "../domain/ownership.ts";
import { ReadBudget } from "../domain/read-budget.ts";
import { logRequest } from "../log/log.ts";
import { type ErrorFormat, routeNotFound } from "./errors.ts";
import { notModified, preconditionFrom } from "./etag.ts";
import { idempotencyContext } from "./idempotency.ts";
import { listAsObject } from "./list-objects.ts";
import { refuseWithoutProxy } from "./proxy.ts";
import { assertHttpEvent, type RawRequest, readEvent, relativeReference, urlOf } from "./request.ts";
import {
  compressResponse,
  encodeError,
  encodeResponse,
  isTooLarge,
  responseTooLarge,
  withoutBody,
} from "./response.ts";
import {
  cacheControlOf,
  type Guard,
  type Method,
  needsCredential,
  type Route,
  type RouteResponse,
  takesSecrets,
} from "./route.ts";
import { createRouter, type RouteMatch } from "./router.ts";
import { validate } from "./validation.ts";
import { warmUpContext } from "./warm-up.ts";

const HSTS_SECONDS = 31_536_000;
/** Reading ends this long before the function's time-out, so that there is time for the response. */
const SPARE_MS = 1_000;

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export interface NotFoundHandler<Dependencies> {
  errorFormatOf(request: RawRequest): ErrorFormat;
  /** Whether the path needs a credential, so that no response may be stored. */
  needsCredential?(request: RawRequest): boolean;
  handle(
    request: RawRequest,
    allowedMethods: readonly Method[],
    dependencies: () => Dependencies,
  ): Promise<RouteResponse>;
}

const defaultNotFoundHandler: NotFoundHandler<unknown> = {
  errorFormatOf: () => "detail",
  handle: async (_, allowedMethods) => {
    throw routeNotFound(allowedMethods);
  },
};

/** Without access rules nothing is registered, and every route is as declared. */
let guardOf: ((route: Route) => Guard | undefined) | undefined;

/** Registers what `createHandler` adds to its routes, in functions of a deployment with access rules. */
export function useGuards(find: typeof guardOf): void {
  guardOf = find;
}

function guarded<R extends Route>(routes: readonly R[]): readonly R[] {
  return guardOf ? routes.map((route) => ({ ...route, guard: guardOf?.(route) })) : routes;
}

type DependenciesOf<R> = (R extends Route<infer D> ? (dependencies: D) => void : never) extends (
  dependencies: infer All,
) => void
  ? All
  : never;

/**
 * Creates the Lambda handler of a function. It never throws: anything but an ApiError becomes a 500 whose cause is
 * only logged. Routes are matched by method and path, not by `routeKey` (docs/adr/0001).
 * @param createDependencies called once, by the first request that needs them. Returns what makes the dependencies for
 *   a caller: once for all whose records have no owners, otherwise per request
 */
export function createHandler<R extends Route>(
  routes: readonly R[],
  createDependencies: () => (ownerOf: OwnerOf) => DependenciesOf<R>,
  notFoundHandler: NotFoundHandler<DependenciesOf<R>> = defaultNotFoundHandler,
): HttpHandler {
  type Dependencies = DependenciesOf<R>;
  const findRoute = createRouter<Dependencies>(guarded(routes));
  const { dependencies, dependenciesFor } = cachedDependencies(createDependencies);

  async function handle(request: RawRequest, match: RouteMatch<Dependencies>, context: Context) {
    if (match.route === undefined) return notFoundHandler.handle(request, match.allowedMethods, dependencies);
    const { route, path } = match;
    const { headers, address } = request;
    const access = await route.guard?.authorize(headers);
    const authorized = await route.authorizer?.authorize(headers, dependencies());
    const valid = validate(route, path, request);
    const key = valid.idempotencyKey;
    const contextOf = (key: string) =>
      idempotencyContext(key, route, path, request, authorized, valid.body, access?.account.username);
    const validRequest = {
      ...valid,
      address,
      caller: authorized ?? access?.account,
      precondition: preconditionFrom(route, headers),
      idempotency: key === undefined ? undefined : contextOf(key),
      budget: () =>
        new ReadBudget(() => AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - SPARE_MS))),
    };
    const ownDependencies = access?.hasOwners ? access.forOwner(dependenciesFor) : dependencies();
    const response = await route.handle(validRequest as never, ownDependencies);
    return request.rawQuery === "" ? response : listAsObject(route, request.rawQuery, response);
  }

  async function respond(
    event: APIGatewayProxyEventV2,
    request: RawRequest,
    match: RouteMatch<Dependencies>,
    context: Context,
  ) {
    const { headers } = request;
    const { route } = match;
    try {
      assertHttpEvent(event, route !== undefined);
      refuseWithoutProxy(request.headers, request.address);
      const encoded = encodeResponse(await handle(request, match, context), route);
      const result = compressResponse(encoded, headers);
      if (isTooLarge(result)) throw responseTooLarge();
      return { result: request.method === "GET" ? notModified(result, headers) : result };
    } catch (error) {
      const formatter = route ?? notFoundHandler.errorFormatOf(request);
      const url = urlOf(request, route === undefined || takesSecrets(route));
      const encoded = encodeError(error, formatter, url, headers.accept);
      return { result: compressResponse(encoded, headers), error };
    }
  }

  return async (event, context) => {
    const started = performance.now();
    const request = readEvent(event);
    const match = findRoute(request.method, request.path);
    const { route } = match;
    const { result, error } = await respond(event, request, match, context);
    const isPrivate = route ? needsCredential(route) : notFoundHandler.needsCredential?.(request);
    const status = result.statusCode ?? 200;
    const caching = { "cache-control": cacheControlOf(route, status) };
    result.headers = { ...caching, ...result.headers, ...commonHeaders(request, result.headers, isPrivate) };
    const milliseconds = performance.now() - started;
    const summary = { ...summaryOf(request), route: route?.key ?? "unmatched", status, milliseconds };
    if (context !== warmUpContext) logRequest(context, summary, error);
    return request.isHead ? withoutBody(result) : result;
  };
}

function cachedDependencies<D>(createDependencies: () => (ownerOf: OwnerOf) => D) {
  let create: ((ownerOf: OwnerOf) => D) | undefined;
  let withoutOwners: D | undefined;
  const dependenciesFor = (ownerOf: OwnerOf) => {
    create ??= createDependencies();
    return create(ownerOf);
  };
  const dependencies = () => {
    withoutOwners ??= dependenciesFor(() => undefined);
    return withoutOwners;
  };
  return { dependencies, dependenciesFor };
}

function summaryOf({ id, headers }: RawRequest) {
  const { traceparent, "user-agent": userAgent } = headers;
  return { requestId: id, headers, traceparent, userAgent };
}

function commonHeaders(
  { id, origin, path }: RawRequest,
  { location }: APIGatewayProxyStructuredResultV2["headers"] & object = {},
  isPrivate = false,
): Readonly<Record<string, string>> {
  return {
    ...(isPrivate && { "cache-control": "no-store" }),
    ...(location !== undefined && { location: relativeReference(path, String(location)) }),
    "x-content-type-options": "nosniff",
    ...(origin.startsWith("https:") && { "strict-transport-security": `max-age=${HSTS_SECONDS}` }),
    "x-request-id": id,
  };
}
