/**
 * The percentile of sorted values by the nearest-rank method.
 *
 * @param share from 0 to 1
 * @returns NaN without values
 */
export function percentile(ascending: readonly number[], share: number): number {
  const rank = Math.max(1, Math.ceil(share * ascending.length));
  return ascending[rank - 1] ?? Number.NaN;
}

/** The middle value; for an even number of values the lower of the two middle ones. */
export function median(values: Iterable<number>): number {
  return percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}
