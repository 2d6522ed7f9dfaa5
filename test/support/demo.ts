import type { ApiClient } from "../../client/index.js";

/** Expects what the demo has of an area. Returns the number of records that the demo created. */
export type DemoExpectation = (api: ApiClient) => Promise<number>;

/** Records with the ids 1, 2, 3, … */
export function numbered<T extends object>(records: readonly T[]) {
  return records.map((record, index) => ({ id: index + 1, ...record }));
}
