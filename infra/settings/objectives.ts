import { definitions, functionOf } from "../../functions/definitions.ts";

/** The areas with an objective: those with a function, but for `system`, which has documentation and checks. */
export const objectiveAreas = Object.keys(definitions).filter(
  (name) => name !== "system" && functionOf(name) === name,
);

/** The share of responses that may take longer than an area's latency: it is a 99th percentile. */
export const SLOW_SHARE = 0.01;

type Numbers = ReadonlyMap<string, number>;

/** What an area's clients can rely on (docs/adr/0032). */
export function objectiveOf(
  { availability, latency }: { readonly availability: Numbers; readonly latency: Numbers },
  area: string,
) {
  const percent = availability.get(area) ?? 99.9;
  return {
    percent,
    /** The share of requests that may fail. */
    failingShare: Number((1 - percent / 100).toFixed(5)),
    milliseconds: latency.get(area) ?? 1_000,
  };
}
