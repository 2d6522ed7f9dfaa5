import type { LogLine } from "../log.ts";

export interface ShownRequest {
  /** As in `x-request-id` and in the log. */
  readonly id: string;
  /** When the response was sent, as ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** Without the query, which may contain a password. */
  readonly path: string;
  /** The route's path; undefined if no function responded. */
  readonly route: string | undefined;
  readonly status: number;
  /** Without credentials, and shortened. Empty if there was none. */
  readonly requestBody: string;
  readonly responseBody: string;
  readonly milliseconds: number;
  readonly start: "cold" | "warm" | undefined;
  readonly capacityUnits: number;
  readonly calls: readonly ShownCall[];
  /** The function's log lines that name the request. */
  readonly lines: readonly LogLine[];
}

/** A call to AWS, in the order in which they started. */
export interface ShownCall {
  readonly operation: string;
  /** Tables, indexes and secrets. */
  readonly targets: readonly string[];
  /** After the request arrived. */
  readonly offset: number;
  readonly milliseconds: number;
  /** 1, or one more than the last call that had ended when this one started. */
  readonly round: number;
  readonly capacityUnits: number;
  readonly statusCode: number;
  /** IAM's message if the role does not allow it. */
  readonly denial?: string;
}
