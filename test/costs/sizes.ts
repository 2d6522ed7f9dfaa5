/** The numbers of records at which costs are measured. */
export const sizes = [10, 1_000, 20_000];
