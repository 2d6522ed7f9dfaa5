import type { Route } from "../lib/http/route.ts";
import type { Example, ExampleContext, ExampleRequest } from "./define-area.ts";
import { allRoutes, definitions } from "./definitions.ts";

/** An example request, ready to be sent. */
export interface PreparedRequest {
  readonly route: Route;
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** To be sent as JSON; undefined for no body. */
  readonly body: unknown;
}

const examples: Readonly<Record<string, Example>> = Object.assign(
  {},
  ...Object.values(definitions).map(({ requests }) => requests),
);
const routes = new Map(allRoutes.map((route) => [route.key, route]));

/** The context of examples that are only shown. */
export const shownContext: ExampleContext = { id: () => 1, unique: "" };

/**
 * The example request of a route.
 *
 * @param key the route's key, such as `GET /todos/{id}`
 * @throws Error if there is no such route
 */
export function exampleOf(key: string, context: ExampleContext): ExampleRequest {
  const example = examples[key];
  if (example === undefined) throw new Error(`There is no example request for ${key}`);
  return typeof example === "function" ? example(context) : example;
}

/** The routes that create the records to which an example refers, each once, in the order of their mention. */
export function referencesOf(key: string): readonly string[] {
  const references = new Set<string>();
  exampleOf(key, {
    unique: "",
    id(route) {
      references.add(route);
      return 1;
    },
  });
  return [...references];
}

/** Prepares the example request of a route. */
export function prepare(key: string, context: ExampleContext): PreparedRequest {
  return toRequest(key, exampleOf(key, context));
}

/**
 * Fills a route's pattern with the parts of a request.
 *
 * @throws Error if there is no such route
 */
export function toRequest(key: string, { path = {}, query = {}, body }: ExampleRequest): PreparedRequest {
  const route = routes.get(key);
  if (route === undefined) throw new Error(`There is no route ${key}`);
  const filled = route.pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const target = search.size === 0 ? filled : `${filled}?${search}`;
  return { route, method: route.method, target, body };
}
