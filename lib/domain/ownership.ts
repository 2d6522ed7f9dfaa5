/** The account on whose behalf a repository works, where records belong to accounts (docs/adr/0030). */
export interface Owner {
  readonly username: string;
  /** Whether it may read and change the records of others, as administrators do. */
  readonly seesAll: boolean;
}

/** The owner for the repositories of an area; undefined where its records belong to nobody. */
export type OwnerOf = (area: string) => Owner | undefined;
