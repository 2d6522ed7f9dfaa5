import type { ApiClient } from "../../client/index.js";
import { requestsOf } from "../../local/demo/load-demo.ts";

/** Expects what the demo has of an area. Returns the number of records that the demo created. */
export type DemoExpectation = (api: ApiClient) => Promise<number>;

/** Records with the ids 1, 2, 3, … */
export function numbered<T extends object>(records: readonly T[]) {
  return records.map((record, index) => ({ id: index + 1, ...record }));
}

/** What the demo's requests of an area that match say: the groups of the pattern, and the body. */
export function demoRequests(area: string, pattern: RegExp) {
  return requestsOf(area).flatMap(([request, body]) => {
    const [match, ...groups] = pattern.exec(request) ?? [];
    // biome-ignore lint/suspicious/noExplicitAny: JSON
    return match === undefined ? [] : [{ groups: groups.map(Number), body: body as any }];
  });
}
