import type { ExampleContext, ExampleRequest } from "../../functions/define-area.ts";
import type { Route } from "../../lib/http/route.ts";

/** A function that returns the stored items of record `id` in a table of `count` records. */
export type ExampleRecord = (id: number, count: number) => readonly Readonly<Record<string, unknown>>[];

export interface MeasuredContext extends ExampleContext {
  /** The number of records in each table: their ids are 1, 2, 3 and so on. */
  readonly count: number;
}

/** A request, or a function of its context. `id` also knows the names of other measured requests. */
export type MeasuredRequest = ExampleRequest | ((context: MeasuredContext) => ExampleRequest);

/** What a request may cost in tables of any size; for a full read, the units with so many records. */
export type CostLimit = readonly [calls: number, inSequence: number, units: number | ((n: number) => number)];

/** A route's key, and after a comma what is special about the request. */
type Variation<Key extends string> = `${Key}, ${string}`;
type Name<Key extends string> = Key | Variation<Key>;

/** What the measurements of costs and of large tables need to know of an area, besides its example requests. */
export interface AreaMeasurements<Key extends string = string> {
  /** Example records by table. Other tables are not filled. */
  readonly records?: Readonly<Record<string, ExampleRecord>>;
  /** Requests that are measured besides the example of each route. */
  readonly requests?: Readonly<Record<Variation<Key>, MeasuredRequest>>;
  readonly limits?: Readonly<Partial<Record<Name<Key>, CostLimit>>>;
  /** The requests on the page of prices, and the number of password hashes that each computes. */
  readonly priced?: Readonly<Partial<Record<Name<Key>, number>>>;
  /** Groups of partition keys by prefix: how many keys requests are spread over. */
  readonly keyGroups?: Readonly<Record<string, number>>;
  /** Lists, filters, sorts and searches in large tables. `{last}` is the number of the last page. */
  readonly growth?: readonly string[];
  /** Records of usual size by table, where the example records are shorter. */
  readonly growthRecords?: Readonly<Record<string, ExampleRecord>>;
  /** How many records a large table has, in relation to others. */
  readonly growthShare?: number;
}

/** Declares what is measured of an area, in `test/functions/<area>/measurements.ts`. An area can do without. */
export function measureArea<const R extends Route & { readonly key: string }>(
  _routes: readonly R[],
  measurements: AreaMeasurements<R["key"]>,
): AreaMeasurements {
  return measurements;
}
