import * as z from "zod/mini";
import type { Route } from "../lib/http/route.ts";
import type { Example, ExampleContext, ExampleRequest } from "./define-area.ts";
import { allRoutes, definitions } from "./definitions.ts";

export interface PreparedRequest {
  readonly route: Route;
  readonly method: string;
  readonly target: string;
  readonly body: unknown;
  readonly username?: string | undefined;
}

const examples: Readonly<Record<string, Example>> = Object.assign(
  {},
  ...Object.values(definitions).map(({ requests }) => requests),
);
const routes = new Map(allRoutes.map((route) => [route.key, route]));

export const shownContext: ExampleContext = { id: () => 1, unique: "" };

/** What an area says of a route, and the ids in its path. @throws Error if there is no such route */
export function exampleOf(key: string, context: ExampleContext): ExampleRequest {
  if (!routes.has(key)) throw new Error(`There is no route ${key}`);
  const example = examples[key] ?? {};
  const { path, ...parts } = typeof example === "function" ? example(context) : example;
  return { path: { ...createdIds(key, context), ...path }, ...parts };
}

/** The ids in a path: `{post_id}` is that of a record that `POST /posts`, or `POST /posts/`, creates. */
function createdIds(key: string, { id }: ExampleContext): ExampleRequest["path"] {
  const ids: Record<string, number> = {};
  for (const { 1: name = "", index } of key.matchAll(/\{(\w+)\}/g)) {
    const creation = `POST ${key.slice(key.indexOf(" ") + 1, index - 1)}`;
    const route = [creation, `${creation}/`].find((each) => routes.has(each));
    if (route !== undefined) ids[name] = id(route);
  }
  return ids;
}

/** The routes that create the records to which an example refers, in the order of their mention, and its key. */
export function referencesOf(key: string): readonly string[] {
  const references = new Set<string>();
  const { after = [] } = exampleOf(key, {
    unique: "",
    id(route) {
      references.add(route);
      return 1;
    },
  });
  const { route: issuer = [] } = routes.get(key)?.authorizer?.issuedBy ?? {};
  return [...new Set([...after, ...[issuer].flat(), ...references])];
}

/** The route that deletes the records that a route creates; undefined if none does. */
export function deletionOf(creation: string): string | undefined {
  const deletions = allRoutes.filter(({ method }) => method === "DELETE");
  return deletions.find(({ key }) => referencesOf(key).at(-1) === creation)?.key;
}

/** The route of a request. @param path without a query */
export function routeAt(method: string, path: string): Route | undefined {
  const matches = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return allRoutes.find((route) => route.method === method && matches(route.pattern));
}

interface RecordSource {
  /** The ids of the records by the route that created them. New ones are added. */
  readonly ids: Map<string, number>;
  readonly unique: string;
  create(request: PreparedRequest): Promise<number>;
}

/** Prepares the example request of a route, after creating the missing records to which it refers. */
export async function prepareWithRecords(key: string, source: RecordSource): Promise<PreparedRequest> {
  const { ids, unique, create } = source;
  for (const route of referencesOf(key))
    if (!ids.has(route)) ids.set(route, await create(await prepareWithRecords(route, source)));
  return prepare(key, { unique, id: (route) => ids.get(route) ?? 0 });
}

/** The id of a created record: the end of its `Location`, or 0 if it has none. */
export function idIn(location = ""): number {
  return Number(location.split("/").at(-1));
}

/**
 * The query for the first page of a list, without filters; undefined if it has no pages, or needs another parameter.
 */
export function firstPage({ method, request: { query } }: Route, size: number): ExampleRequest["query"] {
  const parameters = query?.shape ?? {};
  const page = Object.entries({ page: 1, limit: size, size }).filter(([name]) => name in parameters);
  const isOptional = (parameter: z.core.$ZodType) => z.safeParse(parameter, undefined).success;
  const isList = method === "GET" && page.length > 0 && Object.values(parameters).every(isOptional);
  return isList ? Object.fromEntries(page) : undefined;
}

export function prepare(key: string, context: ExampleContext): PreparedRequest {
  return toRequest(key, exampleOf(key, context));
}

/** Fills a route's pattern with the parts of a request. @throws Error if there is no such route */
export function toRequest(key: string, { path = {}, query = {}, body, username }: ExampleRequest) {
  const route = routes.get(key);
  if (route === undefined) throw new Error(`There is no route ${key}`);
  const filled = route.pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams(query as Readonly<Record<string, string>>);
  const target = search.size === 0 ? filled : `${filled}?${search}`;
  return { route, method: route.method, target, body, username };
}
