import { routesByArea } from "../../functions/definitions.ts";

const knownAreas = ["todos", "users", "products", "orders", "posts", "items"] as const;
export type RecordArea = (typeof knownAreas)[number];

/** The areas whose records have ids from a counter: those of the service that the clients know. */
export const recordAreas = knownAreas.filter((area) => area in routesByArea);

/** The field by which a record is recognized if the response to its creation was lost. Its value is unique. */
export const identifyingField = (area: RecordArea) =>
  area === "orders" ? "user_id" : area === "todos" || area === "posts" ? "title" : "name";

export type Fields = Readonly<Record<string, unknown>>;
export type StoredRecord = Fields & { readonly id: number };

/** What the client learned: `unknown` after a server error or without a response, `refused` if nothing was changed. */
export type Outcome = "done" | "refused" | "unknown";

interface Timed {
  readonly area: RecordArea;
  /** When the request was sent and when its response arrived, on a clock that all clients share. */
  readonly start: number;
  readonly end: number;
  readonly outcome: Outcome;
}

export interface Creation extends Timed {
  readonly kind: "creation";
  /** The same for all requests with the same idempotency key; otherwise unique. */
  readonly group: string;
  /** The record without its id, as it should be created. Orders lack the total. */
  readonly fields: Fields;
  readonly record?: StoredRecord;
  readonly isReplay?: boolean;
}

/** Of fields, or of the `owner`, which no response has. */
export interface Change extends Timed {
  readonly kind: "change";
  readonly id: number;
  readonly fields: Fields;
  /** The read whose entity tag it had to match. */
  readonly basedOn?: Pick<Timed, "start" | "end"> & { readonly stock: number };
}

export interface Deletion extends Timed {
  readonly kind: "deletion";
  readonly id: number;
  /** With all records of a person: it may have been deleted before. */
  readonly isErasure?: boolean;
}

export interface Read extends Timed {
  readonly kind: "read";
  readonly id: number;
  readonly record?: StoredRecord;
}

export type Operation = Creation | Change | Deletion | Read;

/** One attempt to register accounts, all or none. */
export interface Registration {
  readonly usernames: readonly string[];
  readonly outcome: Outcome;
}

/** What was done to erase a person: the account, its records, user records with its e-mail, and their posts. */
export interface Erasure extends Omit<Timed, "area"> {
  readonly username: string;
  readonly email: string;
  readonly users: readonly number[];
}

export interface History {
  readonly operations: readonly Operation[];
  readonly registrations: readonly Registration[];
  readonly erasures: readonly Erasure[];
  readonly shopProducts: readonly number[];
  /** How many ids were lost although no creation failed, by area: so many may have no record. */
  readonly lostIds: Readonly<Partial<Record<RecordArea, number>>>;
}

/** One way to read all records of an area: a list, its pages, or a list by an index. */
export interface Listing {
  readonly name: string;
  readonly records: readonly StoredRecord[];
  readonly total?: number;
  readonly fields?: readonly string[];
}

export interface FinalState {
  /** By area; the first listing has the complete records. */
  readonly listings: Readonly<Record<RecordArea, readonly Listing[]>>;
  readonly postStatistics: {
    readonly total_posts: number;
    readonly by_status: Readonly<Record<string, number>>;
    readonly total_views: number;
  };
  readonly usernames: readonly string[];
  readonly failedLogins: readonly string[];
  /** How many ids repairs had to mark as deleted, by area. */
  readonly repairedIds: Readonly<Partial<Record<RecordArea, number>>>;
  /** The owners of records, and of their entries in the partitions of owners, by area. */
  readonly owners: Readonly<Partial<Record<RecordArea, readonly Owned[]>>>;
  readonly ownerEntries: Readonly<Partial<Record<RecordArea, readonly Owned[]>>>;
  /** What nothing refers to any more, in a sentence each. */
  readonly leftOver: readonly string[];
}

export interface Owned {
  readonly id: number;
  readonly owner?: string | undefined;
}
