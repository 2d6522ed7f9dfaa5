/**
 * The value that a share of all values does not exceed (nearest rank).
 *
 * @param ascending the values, sorted
 * @param share from 0 to 1
 * @returns NaN without values
 */
export function percentile(ascending: readonly number[], share: number): number {
  const rank = Math.max(1, Math.ceil(share * ascending.length));
  return ascending[rank - 1] ?? Number.NaN;
}

/** @returns the values in ascending order; NaN without values for its percentiles */
export function sorted(values: Iterable<number>): number[] {
  return [...values].sort((a, b) => a - b);
}

/** The middle value; of an even number of values the lower of the two in the middle. */
export function median(values: Iterable<number>): number {
  return percentile(sorted(values), 0.5);
}
