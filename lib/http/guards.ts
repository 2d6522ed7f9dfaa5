import type { Guard, Route } from "./route.ts";

/** Without access rules nothing is registered, and every route is as declared. */
let guardOf: ((route: Route) => Guard | undefined) | undefined;

/** Registers what `createHandler` adds to its routes, in functions of a deployment with access rules. */
export function useGuards(find: typeof guardOf): void {
  guardOf = find;
}

export function guarded<R extends Route>(routes: readonly R[]): readonly R[] {
  return guardOf ? routes.map((route) => ({ ...route, guard: guardOf?.(route) })) : routes;
}
