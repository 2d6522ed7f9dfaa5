/** Larger tables contain only the records that are read, and the other ids as if their records existed. */
export const MAX_FILLED = 5_000;

/** A request that reads more units than this in tables of `MAX_FILLED` records reads everything. */
export const FULL_READ_UNITS = 40;

/** The numbers of records at which the costs of routes are measured. */
export const sizes = [10, 1_000, MAX_FILLED, 1_000_000];

/** The numbers of ids at which the costs of the record store are measured. */
export const recordSizes = [...sizes, 10_000_000];
