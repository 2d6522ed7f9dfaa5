/** The numbers of records at which the costs of routes are measured. */
export const sizes = [10, 1_000, 20_000];

/** The numbers of ids at which the costs of the record store are measured. */
export const recordSizes = [...sizes, 1_000_000, 10_000_000];
