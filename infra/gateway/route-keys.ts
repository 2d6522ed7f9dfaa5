import type { Method } from "../../lib/http/route.ts";

/** A route key of the gateway, and the area whose function handles it, or `fallback`. */
interface RouteKey {
  readonly method: Method | "HEAD" | "OPTIONS";
  /** In API Gateway's notation, without a trailing slash, which it refuses. */
  readonly path: string;
  readonly area: string;
}

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** No area declares OPTIONS: the fallback knows the methods of all paths. */
const options: readonly RouteKey[] = ["/", "/{proxy+}"].map((path) => ({
  method: "OPTIONS",
  path,
  area: "fallback",
}));

type DeclaredRoute = Readonly<{ method: Method; pattern: string; prefix?: string }>;

/**
 * The route keys of all declared routes, and greedy ones that send all other requests to `fallback` or to the
 * area of their path prefix (docs/adr/0001). Each key of GET also stands for HEAD.
 *
 * A path with a trailing slash uses the key of the path without it. If another area declares that path, the
 * key belongs to that area, whose function has to handle both.
 *
 * @throws Error when two areas declare the same operation
 */
export function routeKeys(routesByArea: Readonly<Record<string, readonly DeclaredRoute[]>>): RouteKey[] {
  const declared = Object.entries(routesByArea).flatMap(([area, routes]) =>
    routes.map(({ method, pattern, prefix }) => ({ method, path: pattern, area, prefix })),
  );
  refuseDuplicates(declared);
  const candidates: RouteKey[] = [
    ...declared.filter(({ path }) => !endsInSlash(path)),
    ...declared.map((route) => ({ ...route, path: withoutTrailingSlash(route.path) })),
    ...shadowedKeys(declared),
    ...methods.flatMap((method) => greedyKeys(method, [...declared, { prefix: "", area: "fallback" }])),
  ];
  const keys = [...Map.groupBy(candidates, keyOf).values()].flatMap(([first]) => first ?? []);
  const heads = keys.filter(({ method }) => method === "GET");
  return [...keys, ...heads.map((key) => ({ ...key, method: "HEAD" as const })), ...options];
}

/** The keys of paths that another area's placeholder would match, as `/users/{id}` matches `/users/me`. */
function shadowedKeys(declared: readonly RouteKey[]): RouteKey[] {
  const byPath = Map.groupBy(declared, ({ path }) => path);
  return [...byPath].flatMap(([path, own]) => {
    const others = declared.filter(
      (route) => covers(route.path, path) && !own.some(({ area }) => area === route.area),
    );
    const shadowing = endsInSlash(path) ? [] : others;
    return methods
      .filter((method) => shadowing.some((route) => route.method === method))
      .map((method) => ({ method, path, area: "fallback" }));
  });
}

function greedyKeys(
  method: Method,
  prefixes: readonly Readonly<{ prefix?: string | undefined; area: string }>[],
): RouteKey[] {
  return prefixes.flatMap(({ prefix, area }) =>
    prefix === undefined ? [] : [prefix || "/", `${prefix}/{proxy+}`].map((path) => ({ method, path, area })),
  );
}

function covers(pattern: string, path: string): boolean {
  const segments = path.split("/");
  const parts = pattern.split("/");
  return (
    parts.length === segments.length && parts.every((part, i) => part.startsWith("{") || part === segments[i])
  );
}

function refuseDuplicates(declared: readonly RouteKey[]): void {
  for (const [key, [first, second]] of Map.groupBy(declared, keyOf))
    if (second) throw new Error(`${key} is declared by ${first?.area} and by ${second.area}`);
}

/** A path, or a route's key, as API Gateway's route keys have it. */
export function withoutTrailingSlash(path: string): string {
  return path.replace(/(?<=\w)\/$/, "");
}

function endsInSlash(path: string): boolean {
  return path.length > 1 && path.endsWith("/");
}

function keyOf({ method, path }: RouteKey): string {
  return `${method} ${path}`;
}
