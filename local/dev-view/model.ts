import type { LogLine } from "../log.ts";

export interface ShownRequest {
  /** As in `x-request-id` and in the log. */
  readonly id: string;
  readonly time: string;
  readonly method: string;
  /** Without the query, which may contain a password. */
  readonly path: string;
  /** The route's path; undefined if no function responded. */
  readonly route: string | undefined;
  readonly status: number;
  readonly requestBody: string;
  readonly responseBody: string;
  readonly milliseconds: number;
  readonly start: "cold" | "warm" | undefined;
  readonly capacityUnits: number;
  readonly calls: readonly ShownCall[];
  /** The function's log lines that name the request. */
  readonly lines: readonly LogLine[];
}

export interface ShownCall {
  readonly operation: string;
  readonly targets: readonly string[];
  readonly offset: number;
  readonly milliseconds: number;
  /** 1, or one more than the last call that had ended when this one started. */
  readonly round: number;
  readonly capacityUnits: number;
  readonly statusCode: number;
  readonly denial?: string;
}
