import { routesByArea } from "../../../functions/definitions.ts";
import { referencesOf } from "../../../functions/example-requests.ts";
import type { Method, Route } from "../../../lib/http/route.ts";
import { credentialsFor, idOf, prepareExample, sendExample } from "../api/examples.ts";
import { protocols, type RecordSample } from "../api/protocol.ts";

/** The routes that get a record of an area without samples of its own, by the area. */
const otherAreas = Object.entries(routesByArea).flatMap(([area, routes]): [string, Route][] => {
  const get = routes.find(({ method, etag, key }) => method === "GET" && etag && referencesOf(key).length);
  return get && !protocols[area]?.samples ? [[area, get]] : [];
});

/** The area of each kind of record that has its own path. */
const areas = new Map([
  ...Object.entries(protocols).flatMap(([area, { samples = {} }]) =>
    Object.keys(samples).map((kind) => [kind, area] as const),
  ),
  ...otherAreas.map(([area]) => [area, area] as const),
]);

export const recordSamples: Readonly<Record<string, () => Promise<RecordSample>>> = {
  ...Object.assign({}, ...Object.values(protocols).map(({ samples }) => samples)),
  ...Object.fromEntries(otherAreas.map(([area, get]) => [area, () => exampleSample(area, get)])),
};

/** Whether records of this kind can be changed, or deleted, with a precondition. */
export function hasMethod(kind: string, methods: readonly Method[]): boolean {
  const routes = routesByArea[areas.get(kind) ?? ""] ?? [];
  return routes.some(({ method, etag }) => etag !== undefined && methods.includes(method));
}

/** Whether reading a record of this kind changes its entity tag. */
export function countsViews(kind: string): boolean {
  return protocols[areas.get(kind) ?? ""]?.countsViews ?? false;
}

async function exampleSample(area: string, get: Route): Promise<RecordSample> {
  const creation = referencesOf(get.key).at(-1) ?? "";
  const ids = new Map<string, number>();
  const created = await sendExample(creation, ids);
  ids.set(creation, idOf(created));
  const path = (await prepareExample(get.key, ids)).target;
  const changing = (routesByArea[area] ?? []).filter(
    ({ method, etag, key }) =>
      etag && (method === "PUT" || method === "PATCH") && referencesOf(key).includes(creation),
  );
  const changes = await Promise.all(changing.map(({ key }) => prepareExample(key, ids)));
  return {
    created,
    path,
    changes: changes.map(({ method, target, body }) => [method, target, body]),
    headers: await credentialsFor(await prepareExample(creation, ids)),
  };
}
