import { ofAreas } from "../of-areas.ts";
import type { ApiResponse } from "./conformance.ts";

/** A record of one kind, and how to read and change it. */
export interface RecordSample {
  readonly created: ApiResponse;
  readonly path: string;
  /** Requests that change it: method, path and query, body. Each one changes its representation. */
  readonly changes: readonly (readonly [method: string, target: string, json?: unknown])[];
  /** The headers that changes and deletion need; none by default. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A list in id order that has cursors. */
export interface CursorList {
  readonly create: () => Promise<{ readonly id: number }>;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The records of a body; by default it is an array of them. */
  readonly recordsOf?: (body: never) => readonly { id: number }[];
}

/** What the specs in test/api/protocol try of an area: its cursors, preconditions and documented errors. */
export interface AreaProtocol {
  /** Creates a record of each kind. By default, the examples of the area's routes create one. */
  readonly samples?: Readonly<Record<string, () => Promise<RecordSample>>>;
  /** Each read of a record is a view, which its entity tag counts. */
  readonly countsViews?: true;
  readonly lists?: Readonly<Record<string, () => Promise<CursorList>>>;
  /** Lists that can continue after any id: paths that end in `?` or `&`. */
  readonly resumable?: readonly string[];
  /** Operation, status, and a request whose response is the documented example of the error. */
  readonly errors?: readonly (readonly [key: string, status: number, send: () => Promise<ApiResponse>])[];
}

export const protocols = await ofAreas<AreaProtocol>("protocol");
