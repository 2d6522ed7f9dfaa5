/** The account on whose behalf a repository works, where records belong to accounts (docs/adr/0030). */
export interface Owner {
  readonly username: string;
  /** Whether it may read and change the records of others, as administrators may. */
  readonly seesAll: boolean;
}

/** A repository of records that can belong to accounts. */
export interface Ownable {
  readonly table: string;
  /** The same repository, which sees the owner's records only, unless the owner sees all. */
  ownedBy(owner: Owner): object;
}

export function isOwnable(value: unknown): value is Ownable {
  return typeof (value as Ownable | undefined)?.ownedBy === "function";
}
