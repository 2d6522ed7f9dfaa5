import { globSync } from "node:fs";
import { dirname } from "node:path";
import type { Route } from "../lib/http/route.ts";
import * as areas from "./areas.ts";
import type { AreaDefinition, AreaModule, TableDefinition } from "./define-area.ts";
import { ofAreas } from "./of-areas.ts";

export const routesByArea: Readonly<Record<string, readonly Route[]>> = Object.fromEntries(
  Object.entries(areas as Readonly<Record<string, AreaModule>>).map(([name, { routes }]) => [name, routes]),
);

/** Every route of the service, with the defaults of its settings. */
export const allRoutes = Object.values(routesByArea).flat();

export const definitions = await ofAreas<AreaDefinition>("area");

const withFunction = new Set(globSync("*/index.ts", { cwd: import.meta.dirname }).map(dirname));

/** The function that handles the routes of an area: its own, the one it names, or `fallback`. */
export function functionOf(area: string): string {
  return withFunction.has(area) ? area : (definitions[area]?.handledBy ?? "fallback");
}

/** The routes that a function handles, besides those of other areas whose path ends in a slash. */
export function routesOf(name: string): Route[] {
  return Object.entries(routesByArea).flatMap(([area, routes]) => (functionOf(area) === name ? routes : []));
}

/** The functions that the gateway invokes. */
export const gatewayFunctions = [...new Set([...Object.keys(routesByArea).map(functionOf), "fallback"])];

export const tables: Readonly<Record<string, TableDefinition>> = Object.fromEntries(
  Object.values(definitions)
    .flatMap((area) => Object.entries(area.tables ?? {}))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);
export const tableNames = Object.keys(tables);
export const tablesWithIds = tableNames.filter((name) => tables[name]?.hasIds);

/** The routes of the service, by area, as a deployment with these settings declares them. */
export function routesWith(settings: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(routesByArea).map(([name, routes]) => [
      name,
      definitions[name]?.routesWith?.(settings) ?? routes,
    ]),
  );
}
