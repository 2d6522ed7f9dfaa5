import type { ExampleRequest } from "../../functions/define-area.ts";
import { allRoutes } from "../../functions/definitions.ts";
import { exampleOf, type PreparedRequest, toRequest } from "../../functions/example-requests.ts";
import { parseSecretList } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import type { Route } from "../../lib/http/route.ts";
import { credentials, secretValues } from "../../test/support/data/credentials.ts";
import { type IssuedKeys, issuedKeyOf } from "../../test/support/issued-keys.ts";
import type {
  AreaMeasurements,
  ExampleRecord,
  MeasuredContext,
  MeasuredRequest,
} from "../../test/support/measure-area.ts";
import { ofAreas } from "../../test/support/of-areas.ts";
import { schemeOf } from "../../test/support/own-access.ts";

/** What is measured of the areas, by their folders. */
export const measurements = await ofAreas<AreaMeasurements>("measurements");
const all = Object.values(measurements);

/** The example records of all areas, by table. */
export const exampleRecords: Readonly<Record<string, ExampleRecord>> = Object.assign(
  {},
  ...all.map(({ records }) => records),
);

/** Those of the benchmark of large tables that have another size, by table. */
export const growthRecords: Readonly<Record<string, ExampleRecord>> = Object.assign(
  {},
  ...all.map((area) => area.growthRecords),
);

/** The groups of partition keys of all areas, by prefix. */
export const keyGroups: Readonly<Record<string, number>> = Object.assign(
  {},
  ...all.map((area) => area.keyGroups),
);

/** Every measured request by its name: the routes' examples, then what the areas add, route by route. */
export const measuredRequests: ReadonlyMap<
  string,
  { readonly route: Route; readonly request: MeasuredRequest }
> = new Map(
  allRoutes.flatMap((route) => {
    const { key } = route;
    const example: MeasuredRequest = (context) => exampleOf(key, context);
    const variations = all.flatMap(({ requests = {} }) =>
      Object.entries(requests).filter(([name]) => name.startsWith(`${key}, `)),
    );
    const named: [string, MeasuredRequest][] = [
      [key, example],
      ...(canOmitQuery(route) ? [[`${key}, without parameters`, {}] as [string, MeasuredRequest]] : []),
      ...variations,
    ];
    return named.map(([name, request]) => [name, { route, request }] as const);
  }),
);

/** Whether the query of a route's example can be left out: a list then has all records, or the first page. */
function canOmitQuery({ key, method, request }: Route): boolean {
  const { query } = exampleOf(key, { unique: "", id: () => 1 });
  const isOptional = request.query?.safeParse({}).success ?? false;
  return method === "GET" && !key.includes("{") && query !== undefined && isOptional;
}

/** The names of the creations to which a measured request refers, each once. */
export function measuredReferences(name: string): readonly string[] {
  const references = new Set<string>();
  const { after = [] } = contentOf(name, {
    unique: "",
    count: 1,
    id(creation) {
      references.add(creation);
      return 1;
    },
  });
  return [...new Set([...after, ...references])];
}

/** Where and how `prepareMeasured` creates records. */
export interface MeasuredSource {
  /** The number of records in each table. */
  readonly count: number;
  readonly unique: string;
  /** Sends the request of a creation and returns the record's id. */
  create(request: PreparedRequest): Promise<number>;
}

/** Prepares a measured request, after creating the records to which it refers. */
export async function prepareMeasured(
  name: string,
  source: MeasuredSource,
  ids = new Map<string, number>(),
): Promise<PreparedRequest> {
  for (const creation of measuredReferences(name))
    if (!ids.has(creation))
      ids.set(creation, await source.create(await prepareMeasured(creation, source, ids)));
  const { count, unique } = source;
  const content = contentOf(name, { count, unique, id: (creation) => ids.get(creation) ?? 0 });
  return toRequest(keyOf(name), content);
}

/** The key of the route of a measured request. */
export function keyOf(name: string): string {
  return name.replace(/, .*/, "");
}

/** The route of a measured request. */
export function routeOf(name: string): Route {
  return measuredRequest(name).route;
}

function contentOf(name: string, context: MeasuredContext): ExampleRequest {
  const { request } = measuredRequest(name);
  return typeof request === "function" ? request(context) : request;
}

function measuredRequest(name: string) {
  const found = measuredRequests.get(name);
  if (found === undefined) throw new Error(`No measured request is named ${name}`);
  return found;
}

/** The headers with the credentials that a request needs: by default the administrator's, or a key. */
export async function credentialHeaders(
  route: Route,
  username?: string,
  issued?: IssuedKeys,
): Promise<Readonly<Record<string, string>>> {
  const { authorization } = await allCredentials(username);
  const scheme = schemeOf(route);
  if (scheme === undefined) return {};
  return scheme === "bearer"
    ? { authorization }
    : { "x-api-key": issuedKeyOf(route, issued) ?? credentials.apiKey };
}

/** The headers with the administrator's token and a static key. */
export async function allCredentials(username = credentials.admin.username) {
  const authorization = `Bearer ${await tokens.issue(username)}`;
  return { authorization, "x-api-key": credentials.apiKey };
}

const tokens = new Tokens({
  secrets: async () => parseSecretList(secretValues.SigningSecrets),
  now: () => new Date(),
});
